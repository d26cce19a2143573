"""The page that a client shows beside an answer (MCP Apps), in a frame as a host makes it."""

import json

import pytest

from tests.assistant.here import assistant, call

HOST = """<!DOCTYPE html><title>host</title><script>
window.heard = [];
window.addEventListener("message", event => {
  const message = event.data;
  heard.push(message);
  const answer = result => event.source.postMessage({ jsonrpc: "2.0", id: message.id, result }, "*");
  if (message.method === "ui/initialize") answer({ protocolVersion: "2026-01-26", hostCapabilities: {}, hostContext: { theme: "dark" } });
  if (message.method === "ui/notifications/initialized")
    event.source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: RESULT }, "*");
  if (message.method === "resources/read") answer({ contents: [{ uri: message.params.uri, text: PAGE }] });
});
</script><iframe sandbox="allow-scripts" style="width: 900px; height: 700px"></iframe>
<script>document.querySelector("iframe").srcdoc = VIEW;</script>"""
# what a host must enforce where the view asks for nothing
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)


@pytest.fixture(scope="module")
def server():
    return assistant(patience=300)


def in_script(value):
    return json.dumps(value).replace("</", "<\\/")


def shown(chromium, server, result, page):
    """The frame of the view after the host has sent the result; what the host heard."""
    from mcp.server.apps import APP_MIME_TYPE

    from bartizan.assistant.server import VIEW

    view = server.read(VIEW).contents[0]
    assert view.mime_type == APP_MIME_TYPE
    guarded = view.text.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">')
    content = HOST.replace("RESULT", in_script(result)).replace("PAGE", in_script(page))
    context = chromium.new_context()
    tab = context.new_page()
    faults = []
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.set_content(content.replace("srcdoc = VIEW", f"srcdoc = {in_script(guarded)}"))
    frame = tab.frame_locator("iframe")
    frame.locator("h1").wait_for()
    return context, tab, frame, faults


def test_the_answer_fills_the_view_and_the_page_opens_in_it(chromium, server):
    said = call(server, "report", name="pig.py", games=200)
    result = said.result.model_dump(by_alias=True, exclude_none=True, mode="json")
    (link,) = [one["uri"] for one in result["content"] if one.get("uri", "").endswith("/page")]
    page = server.read(link).contents[0].text
    context, tab, frame, faults = shown(chromium, server, result, page)
    try:
        assert frame.locator("h1").inner_text() == said.reply["answer"]
        assert said.reply["command"] in frame.locator("main").inner_text()
        frame.locator("button").click()
        frame.locator("#page >> text=Bartizan").first.wait_for()
        assert frame.locator("#page svg").count() > 0 and faults == []
        methods = [one.get("method") for one in tab.evaluate("heard")]
        assert methods[0] == "ui/notifications/size-changed" or methods[0] == "ui/initialize"
        assert "ui/notifications/size-changed" in methods and methods.count("resources/read") == 1
    finally:
        context.close()


def test_texts_of_an_answer_are_never_markup(chromium, server):
    evil = "<img src=x onerror=document.title='run'><b>bold</b>"
    reply = {"state": "answered", "answer": evil, "table": {"title": evil, "headers": [evil], "rows": [[evil]]}}
    page = "<body onload=\"document.title='run'\"><p>Page</p><script>document.title='run'</script></body>"
    link = {"type": "resource_link", "uri": "bartizan://answers/job-1/page", "name": "page"}
    context, _, frame, _ = shown(chromium, server, {"structuredContent": reply, "content": [link]}, page)
    try:
        assert frame.locator("h1").inner_text() == evil and frame.locator("td").inner_text() == evil
        frame.locator("button").click()
        frame.locator("#page >> text=Page").wait_for()
        assert frame.locator("title").inner_text() == "Bartizan" and frame.locator("#page script").count() == 0
    finally:
        context.close()
