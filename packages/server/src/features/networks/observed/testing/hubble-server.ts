import { fileURLToPath } from 'node:url'
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type ServiceClientConstructor,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll } from 'vitest'

type Reply = Record<string, unknown>
type Request = { number: number; follow: boolean; whitelist: { verdict: number[]; reply: boolean[] }[] }

/** Plays Hubble Relay by the reference implementation of gRPC: it lists `remembered`, and sends what `send` is given. */
export async function hubbleServer() {
  const file = fileURLToPath(new URL('hubble.proto', import.meta.url))
  const { observer } = loadPackageDefinition(
    loadSync(file, { keepCase: true, longs: Number, defaults: true }),
  ) as unknown as {
    observer: { Observer: ServiceClientConstructor }
  }
  const following = new Set<ServerWritableStream<Request, Reply>>()
  const asked: Request[] = []
  const relay = {
    remembered: [] as Reply[],
    failure: undefined as { code: number; details: string } | undefined,
  }
  const server = new Server()
  server.addService(observer.Observer.service, {
    GetFlows(call: ServerWritableStream<Request, Reply>) {
      asked.push(call.request)
      if (relay.failure) {
        call.emit('error', relay.failure)
        return
      }
      if (call.request.follow) {
        following.add(call)
        call.on('cancelled', () => following.delete(call))
        return
      }
      for (const reply of relay.remembered) call.write(reply)
      call.end()
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  afterAll(() => server.forceShutdown())
  return {
    port,
    asked,
    relay,
    following: () => following.size,
    send(reply: Reply) {
      for (const call of following) call.write(reply)
    },
    /** Ends every call, as a relay does that is stopped. */
    end() {
      for (const call of following) call.end()
      following.clear()
    },
  }
}

const [tcp, udp] = ['TCP', 'UDP'] as const
type End = { namespace?: string; pod_name?: string; identity?: number; workloads?: Reply[]; ip: string }
type Packet = {
  from: End
  to: End
  port: number
  sourcePort?: number
  verdict?: number
  direction?: number
  isReply?: boolean | null
  protocol?: typeof tcp | typeof udp
  type?: number
  at?: number
}

/** A packet as Hubble reports it: let through, entering its destination and no reply, where nothing else is given. */
export function packet({
  from: { ip: source, ...from },
  to: { ip: destination, ...to },
  port,
  sourcePort = 40_000,
  verdict = 1,
  direction = 1,
  isReply = false,
  protocol = tcp,
  type = 1,
  at = Date.now(),
}: Packet): Reply {
  return {
    node_name: 'worker-1',
    flow: {
      time: { seconds: Math.floor(at / 1_000), nanos: (at % 1_000) * 1_000_000 },
      verdict,
      IP: { source, destination },
      l4: { [protocol]: { source_port: sourcePort, destination_port: port } },
      source: from,
      destination: to,
      Type: type,
      node_name: 'worker-1',
      traffic_direction: direction,
      ...(isReply !== null && { is_reply: { value: isReply } }),
    },
  }
}
