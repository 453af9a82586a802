"""PyPI's mcp, 1.x or 2.x: lists, reads, plans, applies, takes back. Schemas validate."""

import asyncio
import importlib.metadata
import json
import os
import shutil

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

GAME, KEY = "wheresthedot", "arcade_difficulty_step"
VERSION = importlib.metadata.version("mcp")


def member(thing, snake: str, camel: str):
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, camel)


async def play(session) -> None:
    tools = (await session.list_tools()).tools
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(member(tool, "input_schema", "inputSchema"))
    async def call(name: str, **arguments):
        result = await session.call_tool(name, arguments)
        assert not member(result, "is_error", "isError"), result
        return member(result, "structured_content", "structuredContent")
    before = (await call("value", game=GAME, key=KEY))["value"]
    planned = await call("putOverride", game=GAME, key=KEY, value=before + 2)
    applied = await call("putOverride", game=GAME, key=KEY, value=before + 2, revision=planned["revision"])
    assert (await call("value", game=GAME, key=KEY))["value"] == before + 2
    undo = await call("revert", game=GAME, id=applied["audit_id"])
    await call("revert", game=GAME, id=applied["audit_id"], revision=undo["revision"])
    assert (await call("value", game=GAME, key=KEY))["value"] == before
    refused = await session.call_tool("value", {"game": "none", "key": KEY})
    assert member(refused, "is_error", "isError")
    resources = (await session.list_resources()).resources
    read = await session.read_resource(resources[0].uri)
    assert json.loads(read.contents[0].text)["version"]
    print(f"mcp: PyPI's mcp {VERSION}: {len(tools)} tools, {len(resources)} resources")


async def main() -> None:
    parameters = StdioServerParameters(command=shutil.which("gameconfctl"), args=["mcp", "--write"], env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        begun = await session.initialize()
        print(f"mcp: PyPI's mcp {VERSION} speaks {member(begun, 'protocol_version', 'protocolVersion')} after initialize")
        await play(session)
    if VERSION.startswith("2."):
        from mcp import Client
        async with Client(parameters) as client:
            print(f"mcp: PyPI's mcp {VERSION} speaks {client.protocol_version} by itself")
            await play(client)


asyncio.run(main())
