import { Socket, type SocketConnectOpts } from 'node:net'

import type { Outbound } from './outbound.ts'

/** Connects to allowed addresses only: `pg` opens its connection by port and host. */
export class GuardedSocket extends Socket {
  readonly #outbound: Outbound

  constructor(outbound: Outbound) {
    super()
    this.#outbound = outbound
  }

  override connect(...given: unknown[]): this {
    const [port, host] = given
    if (typeof port !== 'number' || typeof host !== 'string') {
      const wrong = Object.assign(new Error('a database is reached by its host and port'), {
        code: 'EOUTBOUND',
      })
      queueMicrotask(() => this.destroy(wrong))
      return this
    }
    const refusal = this.#outbound.refusalOfHost(host)
    if (refusal !== undefined) {
      queueMicrotask(() => this.destroy(refusal))
      return this
    }
    const options: SocketConnectOpts = { port, host, lookup: this.#outbound.lookup }
    return super.connect(options)
  }
}
