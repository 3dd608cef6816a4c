import type { Shell } from '../nodes/shell.ts'
import { channel, exitStatus, type Session, type SessionSocket } from './session.ts'

/** Whether a command is a shell that reads what is typed. */
export function isShell(words: readonly string[]): boolean {
  const name = words[0]?.split('/').at(-1) ?? ''
  return ['sh', 'bash', 'ash'].includes(name) && !words.some((word) => /^-\w*c/.test(word))
}

const prompt = (shell: Shell) => `${shell.directory} # `

/** A shell that somebody types into; `left` hears how it was left, unless the line was cut. */
export function interact(
  socket: SessionSocket,
  session: Session,
  shell: Shell,
  left: (code: number) => void = () => undefined,
): void {
  let line = ''
  // The lines before, of what is not complete yet.
  let script = ''
  const end = (code: number) => {
    session.end(exitStatus(code))
    left(code)
  }
  const execute = () => {
    script += script === '' ? line : `\n${line}`
    line = ''
    if (session.isTty && shell.isUnfinished(script)) return session.send(channel.stdout, '> ')
    const result = shell.script(script)
    script = ''
    session.show(result)
    if (shell.exitCode !== undefined) end(shell.exitCode)
    else if (session.isTty) session.send(channel.stdout, prompt(shell))
  }
  const type = (key: string) => {
    if (key === '\r' || key === '\n') {
      if (session.isTty) session.send(channel.stdout, '\n')
      execute()
    } else if (key === '\x04' && line === '') end(0)
    else if (key === '\x03') {
      line = ''
      script = ''
      session.send(channel.stdout, `^C\n${prompt(shell)}`)
    } else if (key === '\x7f' || key === '\b') {
      if (line !== '') session.send(channel.stdout, '\b \b')
      line = line.slice(0, -1)
    } else if (key >= ' ') {
      line += key
      if (session.isTty) session.send(channel.stdout, key)
    }
  }
  if (session.isTty) session.send(channel.stdout, prompt(shell))
  socket.on('message', (data: Buffer) => {
    if (data[0] === channel.stdin) {
      for (const key of data.subarray(1).toString().replaceAll('\r\n', '\n'))
        if (shell.exitCode === undefined) type(key)
    } else if (data[0] === channel.close && data[1] === channel.stdin && shell.exitCode === undefined) {
      if (line !== '') execute()
      if (shell.exitCode === undefined) end(0)
    }
  })
}
