"""A wheel that holds nothing but the metadata of a source distribution.

pip resolves for another architecture from wheels only; a package that has none would have to be built for that
architecture here. Its requirements stand in its PKG-INFO all the same.
"""

from __future__ import annotations

import email
import tarfile
import zipfile
from pathlib import Path


def stub_wheel(sdist: Path, folder: Path) -> Path:
    """Write the wheel into ``folder``.

    Raises:
        ValueError: there is no PKG-INFO in the archive.
    """
    with tarfile.open(sdist) as archive:
        found = [member for member in archive.getmembers() if Path(member.name).name == "PKG-INFO"]
        if not found:
            raise ValueError(f"{sdist.name} has no PKG-INFO")
        member = archive.extractfile(min(found, key=lambda one: one.name.count("/")))
        text = member.read() if member is not None else b""
    metadata = email.message_from_bytes(text)
    name, version = metadata["Name"].replace("-", "_").replace(".", "_"), metadata["Version"]
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    inside = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{inside}/METADATA", text)
        archive.writestr(f"{inside}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{inside}/RECORD", "")
    return wheel
