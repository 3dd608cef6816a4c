/**
 * The messages of Hubble's API `observer.Observer/GetFlows` (api/v1/observer/observer.proto and api/v1/flow/flow.proto of
 * Cilium), as far as the flow map needs them. What is not read here is skipped.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

export type HubbleEnd = {
  namespace: string
  pod: string
  identity: number
  workloads: { kind: string; name: string }[]
}

export type HubbleFlow = {
  timeMs: number
  verdict: number
  sourceIp: string
  destinationIp: string
  protocol: 'TCP' | 'UDP' | 'SCTP' | undefined
  sourcePort: number
  destinationPort: number
  source: HubbleEnd
  destination: HubbleEnd
  /** 1: packets of connections; others are requests of layer 7 and sockets. */
  type: number
  /** 1: seen where it enters its destination, 2: where it leaves its source. */
  direction: number
  /** Undefined where it is not known. */
  isReply: boolean | undefined
}

export type FlowsReply =
  | { kind: 'flow'; flow: HubbleFlow }
  | { kind: 'nodes'; isAway: boolean; names: string[] }
  | { kind: 'lost'; count: number }
  | { kind: 'other' }

export const verdicts = { forwarded: 1, dropped: 2 } as const
export const layer34 = 1
export const directions = { ingress: 1, egress: 2 } as const

/** A GetFlowsRequest for packets in the direction of the connection that were let through or dropped. */
export function flowsRequest(asked: { newest: number } | { follow: true }): Uint8Array {
  const writer = new BinaryWriter()
  if ('newest' in asked) writer.tag(1, WireType.Varint).uint64(asked.newest)
  else writer.tag(3, WireType.Varint).bool(true)
  writer.tag(6, WireType.LengthDelimited).fork()
  for (const verdict of Object.values(verdicts)) writer.tag(5, WireType.Varint).int32(verdict)
  writer.tag(15, WireType.Varint).bool(false)
  return writer.join().finish()
}

/** Reads a GetFlowsResponse. Throws where the bytes are no message. */
export function readFlowsReply(bytes: Uint8Array): FlowsReply {
  let reply: FlowsReply = { kind: 'other' }
  readFields(bytes, {
    1: (reader) => (reply = { kind: 'flow', flow: readFlow(reader.bytes()) }),
    2: (reader) => (reply = readNodes(reader.bytes())),
    3: (reader) => (reply = { kind: 'lost', count: readLost(reader.bytes()) }),
  })
  return reply
}

type Fields = Readonly<Record<number, (reader: BinaryReader) => void>>

function readFields(bytes: Uint8Array, fields: Fields): void {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    const read = fields[field]
    if (read === undefined) reader.skip(type, field)
    else read(reader)
  }
}

function readFlow(bytes: Uint8Array): HubbleFlow {
  const flow: HubbleFlow = {
    timeMs: 0,
    verdict: 0,
    sourceIp: '',
    destinationIp: '',
    protocol: undefined,
    sourcePort: 0,
    destinationPort: 0,
    source: { namespace: '', pod: '', identity: 0, workloads: [] },
    destination: { namespace: '', pod: '', identity: 0, workloads: [] },
    type: 0,
    direction: 0,
    isReply: undefined,
  }
  const ports = (protocol: 'TCP' | 'UDP' | 'SCTP') => (reader: BinaryReader) => {
    flow.protocol = protocol
    readFields(reader.bytes(), {
      1: (inner) => (flow.sourcePort = inner.uint32()),
      2: (inner) => (flow.destinationPort = inner.uint32()),
    })
  }
  readFields(bytes, {
    1: (reader) => (flow.timeMs = readTime(reader.bytes())),
    2: (reader) => (flow.verdict = reader.int32()),
    5: (reader) =>
      readFields(reader.bytes(), {
        1: (inner) => (flow.sourceIp = inner.string()),
        2: (inner) => (flow.destinationIp = inner.string()),
      }),
    6: (reader) => readFields(reader.bytes(), { 1: ports('TCP'), 2: ports('UDP'), 5: ports('SCTP') }),
    8: (reader) => (flow.source = readEnd(reader.bytes())),
    9: (reader) => (flow.destination = readEnd(reader.bytes())),
    10: (reader) => (flow.type = reader.int32()),
    22: (reader) => (flow.direction = reader.int32()),
    26: (reader) => (flow.isReply = readBool(reader.bytes())),
  })
  return flow
}

function readEnd(bytes: Uint8Array): HubbleEnd {
  const end: HubbleEnd = { namespace: '', pod: '', identity: 0, workloads: [] }
  readFields(bytes, {
    2: (reader) => (end.identity = reader.uint32()),
    3: (reader) => (end.namespace = reader.string()),
    5: (reader) => (end.pod = reader.string()),
    6: (reader) => {
      const workload = { kind: '', name: '' }
      readFields(reader.bytes(), {
        1: (inner) => (workload.name = inner.string()),
        2: (inner) => (workload.kind = inner.string()),
      })
      end.workloads.push(workload)
    },
  })
  return end
}

/** A google.protobuf.Timestamp, in ms since 1970. */
function readTime(bytes: Uint8Array): number {
  let [seconds, nanos] = [0, 0]
  readFields(bytes, {
    1: (reader) => (seconds = Number(reader.int64())),
    2: (reader) => (nanos = reader.int32()),
  })
  return seconds * 1_000 + Math.floor(nanos / 1_000_000)
}

/** A google.protobuf.BoolValue: an empty one is false. */
function readBool(bytes: Uint8Array): boolean {
  let value = false
  readFields(bytes, { 1: (reader) => (value = reader.bool()) })
  return value
}

/** A relay.NodeStatusEvent: 1 is connected; 2 and 4 are unavailable and in error; 3, gone, is no node any more. */
function readNodes(bytes: Uint8Array): FlowsReply {
  let state = 0
  const names: string[] = []
  readFields(bytes, {
    1: (reader) => (state = reader.int32()),
    2: (reader) => names.push(reader.string()),
  })
  return { kind: 'nodes', isAway: state === 2 || state === 4, names }
}

function readLost(bytes: Uint8Array): number {
  let count = 0
  readFields(bytes, { 2: (reader) => (count = Number(reader.uint64())) })
  return count
}
