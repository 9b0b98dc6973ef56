"""AgentSDK's file check, rule by rule: every path of the file and the file itself."""

import grp
import os
import pwd
import re
import stat

LONGEST = 1024
LARGEST = 1024 * 1024


def check_path(path):
    """Raise ValueError with the original's words for the first rule that a path breaks."""
    if not isinstance(path, str) or not os.path.exists(path):
        raise ValueError("Path is not a string or path is not existed.")
    if len(path) > LONGEST:
        raise ValueError("Input path is too long, it must be less than 1024.")
    if re.search(r"[^0-9A-Za-z_./-]", path):
        raise ValueError("There are illegal characters in path, it is not supported.")
    if ".." in path:
        raise ValueError("There are '..' characters in path.")
    if os.path.realpath(path) != os.path.normpath(path):
        raise ValueError("Path is link, it's not supported.")
    if os.path.isfile(path):
        _mode(path, 0o640)
        _owner(path)
    elif os.path.isdir(path):
        for folder, folders, files in os.walk(path):
            _mode(folder, 0o750)
            _owner(folder)
            for name in files:
                _mode(os.path.join(folder, name), 0o640)
                _owner(os.path.join(folder, name))
            for name in folders:
                _mode(os.path.join(folder, name), 0o750)
    else:
        raise ValueError("The input path is not a file or directory.")
    return path


def check_config(path):
    """The configuration file: its path, then its size."""
    check_path(path)
    if os.path.getsize(path) > LARGEST:
        raise ValueError(f"The file exceed size {LARGEST}B.")


def _mode(path, wanted):
    if stat.S_IMODE(os.stat(path).st_mode) & 0o777 != wanted:
        raise ValueError(f"The input's path mode is not right, it must be {wanted:o}.")


def _owner(path):
    status = os.stat(path)
    owner, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    if pwd.getpwuid(status.st_uid).pw_name != owner or grp.getgrgid(status.st_gid).gr_name != group:
        raise ValueError("The input's path user/group not right, please check.")
