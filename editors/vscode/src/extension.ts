import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const LANGUAGES = ["c", "ocaml", "java"];
let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(vscode.commands.registerCommand("sorrel.restart", restart));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("sorrel")) await restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("sorrel");
  const server: ServerOptions = { command: settings.get<string>("path", "sorrel"), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: {
      property: settings.get<string>("property"),
      timeout: settings.get<number>("timeout"),
      onType: settings.get<boolean>("onType"),
    },
    middleware: {
      // The server writes the report to a file and says where; it is shown here instead of in a browser.
      executeCommand: async (command, words, next) => {
        const result = await next(command, words);
        if (command === "sorrel.showRun" && typeof result === "string" && result) await showReport(result);
        return result;
      },
    },
  };
  client = new LanguageClient("sorrel", "Sorrel", server, options);
  try {
    await client.start();
  } catch (problem) {
    const told = `Sorrel could not be started (${problem}). Is sorrel[lsp] installed? sorrel.path names the command.`;
    vscode.window.showErrorMessage(told);
  }
}

async function showReport(path: string): Promise<void> {
  const panel = vscode.window.createWebviewPanel("sorrel.report", "Sorrel: run", vscode.ViewColumn.Beside, {
    enableScripts: true,
  });
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
  panel.webview.html = new TextDecoder().decode(bytes);
}
