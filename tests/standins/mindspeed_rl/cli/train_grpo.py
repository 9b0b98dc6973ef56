"""Stand-in for MindSpeed-RL's cli/train_grpo.py: prints, checks and saves as it does; trains nothing."""

import sys

from standin.launch import main

if __name__ == "__main__":
    sys.exit(main("grpo", sys.argv[1:]))
