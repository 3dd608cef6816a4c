import type { Call, HandMadeCommand } from './hand-made.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const planFlags = { file: { ...text, short: 'f', multiple: true }, label: text, prune: flag } as const
const planHelp = {
  file: 'YAML or JSON, a directory with all below it, or - for standard input; may be repeated',
  label: 'a tag that marks what the files describe, such as set=shop',
  prune: 'delete what has the label and is in none of the files',
}

const objectFlags = { cluster: text, namespace: { ...text, short: 'n' } } as const
const objectHelp = {
  cluster: 'name or id; may be left out while only one runs',
  namespace: 'default: default',
}

async function runRootKey(verb: 'wrap' | 'unwrap', call: Call): Promise<number> {
  const { runAsOperator } = await import('./operator-command.ts')
  return runAsOperator('root-key', { ...call, args: [verb, ...call.args] })
}

/** Each loads its code when it runs, so that the others start without it. */
export const handMadeCommands: readonly HandMadeCommand[] = [
  {
    words: 'login',
    usage: '[<address>] [--no-browser]',
    summary: 'Log in to a server: a code is shown, and confirmed in the browser',
    options: { 'no-browser': flag },
    flagHelp: { 'no-browser': 'only print the address, for a machine without a browser' },
    run: async (call) => (await import('./login.ts')).logIn(call),
  },
  {
    words: 'logout',
    usage: '',
    summary: 'End the session of the current context and forget its token',
    run: async (call) => (await import('./account.ts')).logOut(call),
  },
  {
    words: 'whoami',
    usage: '',
    summary: 'Who is logged in, where, and in which organization',
    run: async (call) => (await import('./account.ts')).whoAmI(call),
  },
  {
    words: 'org list',
    usage: '',
    summary: 'Your organizations; the one in use is marked',
    run: async (call) => (await import('./account.ts')).listOrganizations(call),
  },
  {
    words: 'org switch',
    usage: '<name or id>',
    summary: 'Use another organization in the current context',
    run: async (call) => (await import('./account.ts')).switchOrganization(call),
  },
  {
    words: 'context list',
    usage: '',
    summary: 'Servers that you logged in to',
    run: async (call) => (await import('./contexts.ts')).listContexts(call),
  },
  {
    words: 'context use',
    usage: '<name>',
    summary: 'Use another server from now on',
    run: async (call) => (await import('./contexts.ts')).useContext(call),
  },
  {
    words: 'context remove',
    usage: '<name>',
    summary: 'Forget a server and its token; bey logout ends the session as well',
    run: async (call) => (await import('./contexts.ts')).removeContext(call),
  },
  {
    words: 'open',
    usage: '[<path>]',
    summary: 'Open the console in the browser, or print the address where there is none',
    run: async (call) => (await import('./open.ts')).open(call),
  },
  {
    words: 'api',
    usage: '<method> <path> [--input <file>]',
    summary: 'Send any request to the API and print its reply',
    run: async (call) => (await import('./api.ts')).callApi(call),
  },
  {
    words: 'apply',
    usage: '-f <file or directory> [--label <label> [--prune]] [--check] [--value <name>=@<file>]',
    summary:
      'Make things as files describe them: the plan is shown first, and nothing is applied of a faulty set',
    options: { ...planFlags, check: flag, value: { ...text, multiple: true } },
    flagHelp: {
      ...planHelp,
      check: 'only say what differs, as bey diff does',
      value: 'what no file holds, such as the value of a new secret: orders-db=@password.txt',
    },
    run: async (call) => (await import('./as-code/apply.ts')).applyFiles(call),
  },
  {
    words: 'diff',
    usage: '-f <file or directory> [--label <label> [--prune]]',
    summary: 'What bey apply would change; ends with 8 where something differs',
    options: planFlags,
    flagHelp: planHelp,
    run: async (call) => (await import('./as-code/apply.ts')).diffFiles(call),
  },
  {
    words: 'export',
    usage: '[<kind> [<name>]] [--dir <directory>]',
    summary: 'Print what there is as files for bey apply, without values of secrets',
    options: { dir: text },
    flagHelp: { dir: 'write a file for each thing, below this directory' },
    run: async (call) => (await import('./as-code/export.ts')).exportFiles(call),
  },
  {
    words: 'kubeconfig',
    usage: '<cluster> [--hours <n>] [--file <path>] [--exec]',
    summary: 'A kubeconfig with a token that expires; printed, or written to a file that only you read',
    options: { hours: text, file: text, exec: flag },
    flagHelp: {
      hours: 'how long the token lives, 1 to 168; default 8',
      file: 'where to write it',
      exec: 'no token in the file: kubectl asks bey for one of an hour',
    },
    run: async (call) => (await import('./kubeconfig.ts')).kubeconfig(call),
  },
  {
    words: 'logs',
    usage: '<kind>/<name> [--cluster <cluster>] [-n <namespace>] [-f]',
    summary: 'Logs of all pods of an object, or of one pod, merged by time',
    options: {
      ...objectFlags,
      follow: { ...flag, short: 'f' },
      tail: text,
      container: text,
      previous: flag,
    },
    flagHelp: {
      ...objectHelp,
      follow: 'go on with new lines until Ctrl+C',
      tail: 'last lines of each container; default 100',
      container: 'only this container',
      previous: 'of the run before the present one',
    },
    run: async (call) => (await import('./pod-logs.ts')).podLogs(call),
  },
  {
    words: 'why',
    usage: '<kind>/<name> [--cluster <cluster>] [-n <namespace>]',
    summary: 'Why an object of a cluster is failing: the evidence, and what to do',
    options: objectFlags,
    flagHelp: objectHelp,
    run: async (call) => (await import('./why.ts')).why(call),
  },
  {
    words: 'kubectl-credential',
    usage: '<cluster>',
    summary: 'What kubectl runs for a kubeconfig of bey kubeconfig --exec: prints a token of an hour',
    run: async (call) => (await import('./kubectl-credential.ts')).kubectlCredential(call),
  },
  {
    words: 'workflows run',
    usage: '<workflow> [--set <name>=<value>] [--input <file>] [--wait]',
    summary: 'Start a run of a workflow with its input',
    options: { set: { ...text, multiple: true }, wait: flag, timeout: text },
    flagHelp: {
      set: 'a field of the input; JSON where it is JSON, else text; may be repeated',
      wait: 'follow the run, and end with 1 if it did not complete',
      timeout: 'with --wait: stop after so many seconds, with exit code 8',
    },
    run: async (call) => (await import('./run-workflow.ts')).runWorkflow(call),
  },
  {
    words: 'runs watch',
    usage: '<workflow> [<run>] [--exit-status] [--timeout <seconds>]',
    summary: 'Follow a run to its end, the latest where none is named',
    options: { 'exit-status': flag, timeout: text },
    flagHelp: {
      'exit-status': 'end with 1 if the run did not complete',
      timeout: 'stop watching after so many seconds, with exit code 8',
    },
    run: async (call) => (await import('./watch-run.ts')).watchRun(call),
  },
  {
    words: 'runs logs',
    usage: '<workflow> [<run>] [-f]',
    summary: 'Log lines of a run, the latest where none is named',
    options: { follow: { ...flag, short: 'f' } },
    flagHelp: { follow: 'go on until the run has ended' },
    run: async (call) => (await import('./run-logs.ts')).runLogs(call),
  },
  {
    words: 'secrets run',
    usage: '--env [<VARIABLE>=]<secret> … [--reason <text>] -- <command> …',
    summary: 'Run a program with secrets in its environment; they are written nowhere',
    options: { env: { ...text, multiple: true }, reason: text },
    flagHelp: {
      env: 'a secret by name; its variable is the name in capitals unless it stands before an equals sign',
      reason: 'for the audit log; default: the command',
    },
    run: async (call) => (await import('./run-with-secrets.ts')).runWithSecrets(call),
  },
  {
    words: 'databases connect',
    usage: '<database> [--reason <text>] [-- <arguments of psql>]',
    summary: 'Open psql on a database; its password is in the environment of psql alone',
    options: { reason: text },
    flagHelp: { reason: 'for the audit log' },
    run: async (call) => (await import('./connect-database.ts')).connectDatabase(call),
  },
  {
    words: 'databases dump',
    usage: '<database> [--file <path>]',
    summary: 'Download a logical dump of a database, for pg_restore',
    options: { file: text },
    flagHelp: { file: 'where to write it; default: the name of the database with .dump' },
    run: async (call) => (await import('./dump-database.ts')).dumpDatabase(call),
  },
  {
    words: 'webhooks listen',
    usage: '<webhook> --forward-to <address> [--secret @<file>]',
    summary: 'Forward what a webhook is sent to a program on this machine',
    options: { 'forward-to': text, secret: text },
    flagHelp: {
      'forward-to': 'such as http://localhost:3000/hook',
      secret: 'a file with the signing secret, to sign as the server does',
    },
    run: async (call) => (await import('./listen-webhook.ts')).listenWebhook(call),
  },
  {
    words: 'audit verify',
    usage: '',
    summary:
      'Recompute the chain of the audit log, compare it with its checkpoints, and say whether it is intact',
    run: async (call) => (await import('./verify-audit.ts')).verifyAudit(call),
  },
  {
    words: 'backup',
    usage: '[--to <directory or s3://bucket/prefix>]',
    summary: 'Back the whole of Bey up, encrypted; run on the machine of the server, while it runs or not',
    options: { to: text },
    flagHelp: { to: 'where to; default: BEY_BACKUP_TO' },
    run: async (call) => (await import('./operator-command.ts')).runAsOperator('backup', call),
  },
  {
    words: 'restore',
    usage: '<backup or its place> --into <empty directory> | --check [--key-file <file>]',
    summary: 'Restore a backup of Bey into an empty data directory, and compare it with what was backed up',
    options: { into: text, check: flag, 'key-file': text },
    flagHelp: {
      into: 'the data directory of the restored Bey',
      check: 'restore into a temporary directory, compare, and remove it again',
      'key-file': 'the root key, or a wrapped one; default: BEY_SECRET_KEY, or secret.key in the directory',
    },
    run: async (call) => (await import('./operator-command.ts')).runAsOperator('restore', call),
  },
  {
    words: 'move-database',
    usage: '[--to <postgres://…>]',
    summary: 'Copy the embedded database of a stopped Bey into an empty PostgreSQL, and compare every row',
    options: { to: text },
    flagHelp: {
      to: 'an empty database; default: DATABASE_URL, which keeps its password off the command line',
    },
    run: async (call) => (await import('./operator-command.ts')).runAsOperator('move-database', call),
  },
  {
    words: 'doctor',
    usage: '',
    summary: 'Check Bey on its machine and say what to do; ends with 0 only when nothing is wrong',
    run: async (call) => (await import('./operator-command.ts')).runAsOperator('doctor', call),
  },
  {
    words: 'root-key wrap',
    usage: '[--key-file <file>]',
    summary: 'Let the key service of BEY_TRANSIT_URL wrap the root key; run on the machine of the server',
    options: { 'key-file': text },
    flagHelp: { 'key-file': 'the root key; default: BEY_SECRET_KEY, or secret.key in the data directory' },
    run: async (call) => runRootKey('wrap', call),
  },
  {
    words: 'root-key unwrap',
    usage: '[--to <file>]',
    summary: 'Let the key service open the root key and write it to a file, to go back or to keep a copy',
    options: { to: text },
    flagHelp: { to: 'a file that does not exist yet; default: secret.key in the data directory' },
    run: async (call) => runRootKey('unwrap', call),
  },
  {
    words: 'mcp',
    usage: '',
    summary:
      'Serve an assistant on standard input and output (Model Context Protocol), as its client starts it',
    run: async (call) => (await import('./mcp.ts')).serveAssistant(call),
  },
  {
    words: 'completion',
    usage: 'bash|zsh|fish',
    summary: 'Print a script that completes commands, flags and names in your shell',
    run: async (call) => (await import('./completion.ts')).printCompletion(call),
  },
  {
    words: 'version',
    usage: '',
    summary: 'Versions of this program and of the server',
    run: async (call) => (await import('./version.ts')).printVersion(call),
  },
]
