import pytest

from agentic_rl_wizard.runner.process.masking import is_secret, mask_said, mask_text, mask_value

KEPT = """# WANDB_API_KEY stays a word
data:
  max_tokens: 128
  pad_token: "<pad>"
  eos_token: </s>
  ppo_max_token_len_per_gpu: 16384
  tokenizer: /models/x
  token: 3
  password: null
  api_key: ${oc.env:X}
url: https://example.org/a:b@c
"""


def test_secrets_are_masked_in_yaml_json_and_environments() -> None:
    text = """env:
  WANDB_API_KEY: abc  # mine
  "HF_TOKEN": "a b, c"
  flow: {OPENAI_API_KEY: abc, n: 4, secret: 'x'}
  db_password: >-
    folded
    text
  next: 1
url: http://me:pw@host:80/x
SWANLAB_API_KEY=abc
{"hf_token": "abc", "n": 1}
"""
    expected = """env:
  WANDB_API_KEY: ***  # mine
  "HF_TOKEN": "***"
  flow: {OPENAI_API_KEY: ***, n: 4, secret: '***'}
  db_password: >-
    ***
    ***
  next: 1
url: http://***@host:80/x
SWANLAB_API_KEY=***
{"hf_token": "***", "n": 1}
"""
    assert mask_text(text) == expected
    assert mask_text(expected) == expected


def test_what_is_no_secret_stays_byte_for_byte() -> None:
    assert mask_text(KEPT.replace("  api_key: ${oc.env:X}\n", "")) == KEPT.replace("  api_key: ${oc.env:X}\n", "")


@pytest.mark.parametrize(
    "key", ["WANDB_API_KEY", "HF_TOKEN", "a.b.secret", "apiKey", "client-secret", "PASSWORD", "aws_secret_key"]
)
def test_secret_names(key: str) -> None:
    assert is_secret(key)


@pytest.mark.parametrize(
    "key", ["max_tokens", "pad_token", "tokenizer", "secretary", "monkey", "keys", "num_tokens_per_token"]
)
def test_other_names(key: str) -> None:
    assert not is_secret(key)


def test_plain_data() -> None:
    value = {"env": {"HF_TOKEN": "abc", "N": "1"}, "argv": ["x", "a.api_key=abc", "b=1"], "n": 3, "none": None}
    assert mask_value(value) == {"env": {"HF_TOKEN": "***", "N": "1"}, "argv": ["x", "a.api_key=***", "b=1"], "n": 3,
                                 "none": None}  # fmt: skip


def test_secrets_of_the_environment_are_masked_without_their_names():
    environment = {
        "WANDB_API_KEY": "0123456789abcdef",
        "https_proxy": "http://me:pa55word@proxy:80",
        "HF_TOKEN": "short",
        "PATH": "/usr/bin:/usr/local/bin",
        "MAX_TOKEN": "/usr/local/bin",
    }
    said = "login 0123456789abcdef by pa55word; /usr/local/bin is short; HF_TOKEN=another"
    assert mask_said(said, environment) == "login *** by ***; /usr/local/bin is short; HF_TOKEN=***"
