import { spawn } from 'node:child_process'

import { channel, exitStatus, type Session, type SessionSocket } from './session.ts'

/** Runs a program of this machine as if it were in the container, until it or the connection ends. It gets no stdin. */
export function runHostProgram(
  socket: SessionSocket,
  session: Session,
  file: string,
  words: readonly string[],
): void {
  const child = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', (data: Buffer) => session.send(channel.stdout, data))
  child.stderr.on('data', (data: Buffer) => session.send(channel.stderr, data))
  child.on('error', () => session.end(exitStatus(127)))
  child.on('close', (code) => session.end(exitStatus(code ?? 137)))
  socket.once('close', () => child.kill())
}
