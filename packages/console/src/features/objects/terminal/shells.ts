/** Shells in the order in which they are tried. */
export const shells = ['bash', 'sh', 'ash', 'powershell'] as const

/** The words of a command line, with quotes as a shell reads them. Nothing else of a shell is understood. */
export function commandWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
}

export interface ExecTarget {
  namespace: string
  pod: string
  container: string
}

/** Where the API server runs a command in a container, with a terminal. */
export function execPath({ namespace, pod, container }: ExecTarget, command: readonly string[]): string {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'true', tty: 'true' })
  for (const word of command) query.append('command', word)
  return `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query.toString()}`
}

/** Where one attaches to what a container runs already. */
export function attachPath({ namespace, pod, container }: ExecTarget): string {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'true', tty: 'true' })
  return `/api/v1/namespaces/${namespace}/pods/${pod}/attach?${query.toString()}`
}

/** The kubectl line that opens the same terminal. */
export function execCommand({ namespace, pod, container }: ExecTarget, command: readonly string[]): string {
  return `kubectl exec -it -n ${namespace} ${pod} -c ${container} -- ${command.join(' ')}`
}

export function attachCommand({ namespace, pod, container }: ExecTarget): string {
  return `kubectl attach -it -n ${namespace} ${pod} -c ${container}`
}
