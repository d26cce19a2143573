"""The bundle for desktop clients: what its manifest offers is what the server offers, and it starts the server."""

import json
from zipfile import ZipFile

from tests.assistant.here import assistant

# keys of an MCPB manifest of version 0.4; others are rejected by clients
KEYS = {
    *("manifest_version", "name", "display_name", "version", "description", "long_description", "author", "license"),
    *("keywords", "server", "tools", "prompts", "user_config", "compatibility"),
}


def test_the_manifest_offers_what_the_server_offers(tmp_path):
    from bartizan.assistant.bundle import manifest

    offered = {tool.name: tool.description for tool in assistant(tmp_path).tools()}
    found = manifest()
    assert {tool["name"]: tool["description"] for tool in found["tools"]} == offered
    assert set(found) <= KEYS and found["manifest_version"] == "0.4"
    assert all("${arguments." in prompt["text"] and "{rules}" not in prompt["text"] for prompt in found["prompts"])


def test_the_bundle_is_the_same_for_the_same_wheel(tmp_path):
    from bartizan.assistant.bundle import ENTRY, write

    wheel = tmp_path / "bartizan-0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    for name in ("a.mcpb", "b.mcpb"):
        write(wheel, tmp_path / name)
    assert (tmp_path / "a.mcpb").read_bytes() == (tmp_path / "b.mcpb").read_bytes()
    with ZipFile(tmp_path / "a.mcpb") as archive:
        assert sorted(archive.namelist()) == sorted(["manifest.json", "pyproject.toml", ENTRY, wheel.name])
        server = json.loads(archive.read("manifest.json"))["server"]
        assert server["entry_point"] in server["mcp_config"]["args"]
        assert wheel.name in archive.read("pyproject.toml").decode()
        compile(archive.read(ENTRY), ENTRY, "exec")
