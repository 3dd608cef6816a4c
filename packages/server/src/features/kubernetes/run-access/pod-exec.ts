import { Readable } from 'node:stream'

import type { WebSocket } from 'ws'

import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { type ClusterAgents, whyUnreachable } from '../connection/cluster-agents.ts'
import { type Identity, identityHeaders } from '../connection/identity.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { lostConnection, openPodSocket } from './pod-socket.ts'
import { statusMessage } from './status-message.ts'

/** A container of a pod, and what is executed there. */
export type PodCommand = { namespace: string; pod: string; container: string; command: readonly string[] }

/** The number that each frame begins with. */
const channels = { stdout: 1, stderr: 2, status: 3 } as const
const maxErrorBytes = 4_096

/**
 * Executes a command in a pod in a person's name, so that the cluster's own RBAC decides, and answers what it prints. The
 * stream ends only where the command ended with 0; otherwise, and where the connection is lost, it fails with a
 * ConnectionProblem. To destroy it ends the connection, with which the kubelet takes the output from the command.
 */
export function execInPod(
  agents: Pick<ClusterAgents, 'openSocket'>,
  connection: ClusterConnection,
  identity: Identity,
  target: PodCommand,
): Promise<Readable> {
  const { namespace, pod, container, command } = target
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' })
  for (const word of command) query.append('command', word)
  const asked = {
    namespace,
    pod,
    subresource: `exec?${query.toString()}`,
    headers: connection.impersonate && identityHeaders(identity),
    forbidden: 'The cluster does not let you execute commands in its pods (create and get on pods/exec).',
    refused: (said: string) => `The cluster executes nothing in the pod "${pod}": ${said}.`,
  }
  return openPodSocket(agents, connection, asked, (socket) => new CommandOutput(socket, target))
}

/** What a command prints. */
class CommandOutput extends Readable {
  readonly #socket: WebSocket
  readonly #target: PodCommand
  #said = ''
  #isComplete = false

  constructor(socket: WebSocket, target: PodCommand) {
    super()
    this.#socket = socket
    this.#target = target
    socket.on('message', (frame: Buffer) => this.#take(frame))
    socket.on('error', (error) => this.destroy(lostConnection(whyUnreachable(error), error)))
    socket.on('close', () => {
      if (!this.#isComplete) this.destroy(lostConnection('the connection ended before the command did'))
    })
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.terminate()
    done(error)
  }

  #take(frame: Buffer): void {
    const bytes = frame.subarray(1)
    if (frame[0] === channels.status) this.#end(bytes.toString('utf8'))
    else if (frame[0] === channels.stderr) this.#said = (this.#said + bytes.toString()).slice(-maxErrorBytes)
    else if (frame[0] === channels.stdout && bytes.length > 0 && !this.push(bytes)) this.#socket.pause()
  }

  #end(status: string): void {
    if (/"status":\s*"Success"/.test(status)) {
      this.#isComplete = true
      this.push(null)
      return
    }
    const [program = ''] = this.#target.command
    const { pod, container } = this.#target
    const message = statusMessage(status) ?? 'The command failed'
    const text = /not found in \$PATH|no such file/i.test(message)
      ? `The container "${container}" of the pod "${pod}" has no program ${program}.`
      : `${program} failed in the pod "${pod}": ${(this.#said.trim() || message).replaceAll('\n', ' ').replace(/\.$/, '')}.`
    this.destroy(new ConnectionProblem(text))
  }
}
