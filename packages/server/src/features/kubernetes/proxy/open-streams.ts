import type { AccessEnd } from '../../../platform/live/access-end.ts'
import type { ProxyCaller } from './caller.ts'

/** A request under way, from its admission until its last byte. */
export type OpenStream = {
  caller: ProxyCaller
  clusterId: number
  /** The token itself, or the SHA-256 of a session's, to ask again who holds it. Kept in memory only. */
  token: string | Buffer
  /** Whether it goes on for as long as both sides like: a watch, a followed log, a session. */
  isEndless: boolean
  openedAtMs: number
  end: () => void
}

export type OpenStreams = {
  /** Taken before the caller is identified, and given to `add`: what ended in between is not missed. */
  mark(): number
  /** False when the stream's right ended since `mark`; it is not kept then. */
  add(stream: OpenStream, mark: number): boolean
  remove(stream: OpenStream): void
  /** Ends every stream that depends on this right. */
  end(ended: AccessEnd): void
  /** Endless ones of a caller. */
  countOf(callerKey: string): number
  all(): OpenStream[]
}

/** Ends of access that `add` compares with. No request takes so long to admit that more would matter. */
const endsKept = 1000

export function createOpenStreams(): OpenStreams {
  const streams = new Set<OpenStream>()
  const ends: { number: number; ended: AccessEnd }[] = []
  let number = 0

  return {
    mark: () => number,
    add(stream, mark) {
      if (ends.some((each) => each.number > mark && isStreamEndedBy(stream, each.ended))) return false
      streams.add(stream)
      return true
    },
    remove: (stream) => void streams.delete(stream),
    end(ended) {
      number += 1
      ends.push({ number, ended })
      if (ends.length > endsKept) ends.shift()
      for (const stream of streams) {
        if (!isStreamEndedBy(stream, ended)) continue
        streams.delete(stream)
        stream.end()
      }
    },
    countOf(callerKey) {
      let count = 0
      for (const stream of streams) if (stream.isEndless && stream.caller.key === callerKey) count += 1
      return count
    },
    all: () => [...streams],
  }
}

function isStreamEndedBy({ caller, clusterId }: OpenStream, ended: AccessEnd): boolean {
  switch (ended.kind) {
    case 'token':
    case 'session':
    case 'key':
      return caller.credential.kind === ended.kind && caller.credential.id === ended.id
    case 'keyChange':
      return caller.apiKey?.id === ended.keyId
    case 'user':
      return caller.userId === ended.userId && caller.credential.kind === 'session'
    case 'member':
      return caller.userId === ended.userId && caller.organizationId === ended.organizationId
    case 'organization':
      // Looked at again instead.
      return false
    case 'cluster':
      return clusterId === ended.clusterId
  }
}
