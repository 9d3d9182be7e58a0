// Starts `wellposed lsp` and lets it answer everything; the server is the one that `pip install 'wellposed[lsp]'` brings.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const [command, ...args] = workspace.getConfiguration("wellposed").get("command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("wellposed", { run: server, debug: server }, {
    documentSelector: [{ scheme: "file", language: "wellposed" }],
  });
  try {
    await client.start();
  } catch (failure) {
    client = undefined;
    window.showErrorMessage(
      `The language server does not start (${failure.message}). Install it with \`pip install 'wellposed[lsp]'\`, ` +
        "or set `wellposed.command` to where it is.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("wellposed.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = stop;
