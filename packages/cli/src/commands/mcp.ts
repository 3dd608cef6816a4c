import { createInterface } from 'node:readline'
import { isOver, openBridge } from './mcp-bridge.ts'
import { exitCodes } from '../errors.ts'
import type { Call } from './hand-made.ts'

/**
 * Serves the Model Context Protocol on standard input and output, one message a line, for clients that start a program: the
 * tools are those of `/mcp` of the server. Ends with its input.
 */
export async function serveAssistant({ session }: Call): Promise<number> {
  const { terminal, signal } = session
  const bridge = openBridge(session, (message) => terminal.out(`${JSON.stringify(message)}\n`))
  const underWay = new Set<Promise<void>>()
  const lines = createInterface({ input: process.stdin, signal })
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue
      const sent: Promise<void> = bridge.send(line).finally(() => underWay.delete(sent))
      underWay.add(sent)
      // What follows the first message belongs to the session that it opens.
      if (!bridge.isOpen()) await sent
    }
  } catch (error) {
    if (!isOver(error)) throw error
  }
  await Promise.all(underWay)
  await bridge.close()
  return signal.aborted ? exitCodes.interrupted : exitCodes.ok
}
