import type { HandMadeCommand } from './hand-made.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

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
    words: 'kubeconfig',
    usage: '<cluster> [--hours <n>] [--file <path>]',
    summary: 'A kubeconfig with a token that expires; printed, or written to a file that only you read',
    options: { hours: text, file: text },
    flagHelp: { hours: 'how long the token lives, 1 to 168; default 8', file: 'where to write it' },
    run: async (call) => (await import('./kubeconfig.ts')).kubeconfig(call),
  },
  {
    words: 'logs',
    usage: '<kind>/<name> --cluster <cluster> [-n <namespace>] [-f]',
    summary: 'Logs of all pods of an object, or of one pod, merged by time',
    options: {
      cluster: text,
      namespace: { ...text, short: 'n' },
      follow: { ...flag, short: 'f' },
      tail: text,
      container: text,
      previous: flag,
    },
    flagHelp: {
      cluster: 'name or id',
      namespace: 'default: default',
      follow: 'go on with new lines until Ctrl+C',
      tail: 'last lines of each container; default 100',
      container: 'only this container',
      previous: 'of the run before the present one',
    },
    run: async (call) => (await import('./pod-logs.ts')).podLogs(call),
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
