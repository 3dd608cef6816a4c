import { Duplex } from 'node:stream'

import type { WebSocket } from 'ws'

import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { type ClusterAgents, whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { lostConnection, openPodSocket } from './pod-socket.ts'

/** A port of a pod, and what listens there, as a sentence names it. */
export type PodPort = { namespace: string; pod: string; port: number; program: string }

/** Two channels a port: 0 its data, 1 its errors. */
const dataChannel = 0

/**
 * Connects to a port of a pod through the API of its cluster, in Bey's own name. Rejects with a ConnectionProblem that
 * says in a sentence what is in the way; a connection that is lost later ends with one.
 */
export function openPort(
  agents: Pick<ClusterAgents, 'openSocket'>,
  connection: ClusterConnection,
  target: PodPort,
): Promise<Duplex> {
  const { namespace, pod, port } = target
  const asked = {
    namespace,
    pod,
    subresource: `portforward?ports=${port}`,
    forbidden:
      'The account that Bey uses in the cluster may not forward ports of pods (create and get on pods/portforward).',
    refused: (said: string) =>
      /is not running/.test(said)
        ? `The pod "${pod}" is not running.`
        : `The cluster forwards no port of the pod "${pod}": ${said}.`,
  }
  return openPodSocket(agents, connection, asked, (socket) => new PortStream(socket, target))
}

/** The bytes of one forwarded port. */
class PortStream extends Duplex {
  readonly #socket: WebSocket
  readonly #target: PodPort
  /** Each channel begins with the number of its port, as two bytes. */
  readonly #begun = new Set<number>()
  #isEnded = false

  constructor(socket: WebSocket, target: PodPort) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#target = target
    socket.on('message', (frame: Buffer) => this.#take(frame))
    socket.on('error', (error) => this.destroy(this.#lost(error)))
    socket.on('close', () => {
      if (this.#isEnded) this.destroy()
      else this.push(null)
    })
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.send(Buffer.concat([Buffer.of(dataChannel), chunk]), (error) =>
      done(error ? this.#lost(error) : null),
    )
  }

  override _final(done: () => void): void {
    // This protocol cannot close one direction alone.
    this.#isEnded = true
    this.#socket.close(1000)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.terminate()
    done(error)
  }

  #take(frame: Buffer): void {
    const channel = frame[0] ?? 0
    const bytes = frame.subarray(this.#begun.has(channel) ? 1 : 3)
    this.#begun.add(channel)
    if (bytes.length === 0) return
    if (channel !== dataChannel) this.destroy(this.#refused(bytes.toString('utf8')))
    else if (!this.push(bytes)) this.#socket.pause()
  }

  #refused(text: string): Error {
    const { pod, port, program } = this.#target
    return new ConnectionProblem(
      /refused/.test(text)
        ? `Nothing accepts connections on port ${port} of the pod "${pod}": ${program} does not run there at the moment.`
        : `The port ${port} of the pod "${pod}" could not be forwarded: ${text.trim().slice(0, 500)}`,
    )
  }

  #lost(cause: Error): Error {
    return lostConnection(whyUnreachable(cause), cause)
  }
}
