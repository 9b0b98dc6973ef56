"""Everything headless: it imports neither textual nor questionary, nor torch, ray, verl or vllm."""
