import type { Cluster } from '../api/context.ts'
import { isTrue, whole, type ApiRequest } from '../api/request.ts'
import { lastLines, linesBetween, logSource, nextLineMs, type LogSource } from '../nodes/container-logs.ts'
import type { LogLine } from '../nodes/program.ts'
import { requireKubelet } from '../nodes/reach.ts'
import { containersOf, statusesOf } from '../nodes/pod-status.ts'
import { badRequest } from '../status-error.ts'
import { pods, type Container, type Pod } from '../types.ts'

function containerOf(pod: Pod, wanted: string | null): Container {
  const all = containersOf(pod)
  const { name } = pod.metadata
  if (wanted) {
    const found = all.find((one) => one.name === wanted)
    if (!found) throw badRequest(`container ${wanted} is not valid for pod ${name}`)
    return found
  }
  const [only] = pod.spec.containers
  if (!only || pod.spec.containers.length > 1) {
    const names = pod.spec.containers.map((one) => one.name).join(' ')
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names}]`)
  }
  return only
}

function sourceOf(cluster: Cluster, pod: Pod, container: Container, isPrevious: boolean): LogSource {
  const status = statusesOf(pod.status).find((one) => one.name === container.name)
  const source = logSource(cluster, pod, container, status, isPrevious)
  if (source) return source
  const { name } = pod.metadata
  if (isPrevious)
    throw badRequest(`previous terminated container "${container.name}" in pod "${name}" not found`)
  if (!pod.spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  const reason = status?.state?.waiting?.reason ?? 'ContainerCreating'
  const problem = /Image/.test(reason) ? `trying and failing to pull image` : reason
  throw badRequest(`container "${container.name}" in pod "${name}" is waiting to start: ${problem}`)
}

/** Sends what a container has written, and with `follow` what it goes on to write. */
export function handleLog(call: ApiRequest): void {
  const { cluster, namespace, name, kind, query, request, response } = call
  const { clock, store } = cluster
  cluster.resources.get(kind, namespace, name)
  const pod = store.get(pods, namespace, name)
  if (!pod) return
  const container = containerOf(pod, query.get('container'))
  requireKubelet(
    cluster,
    pod,
    (address) => `Get "https://${address}/containerLogs/${namespace}/${name}/${container.name}"`,
  )
  const source = sourceOf(cluster, pod, container, isTrue(query, 'previous'))
  const hasTime = isTrue(query, 'timestamps')
  const sinceSeconds = whole(query, 'sinceSeconds')
  const sinceTime = query.get('sinceTime')
  const tail = whole(query, 'tailLines')
  const limitBytes = whole(query, 'limitBytes')
  if (tail !== undefined && tail < 0)
    throw badRequest('tailLines: Invalid value: must be greater than or equal to 0')
  // What is written at this very moment has been written.
  const nowMs = clock.now() + 1
  let fromMs = 0
  if (sinceSeconds !== undefined) fromMs = clock.now() - sinceSeconds * 1000
  else if (sinceTime) {
    fromMs = Date.parse(sinceTime)
    if (Number.isNaN(fromMs))
      throw badRequest(`parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00"`)
  }
  const format = ({ timeMs, text }: LogLine) =>
    hasTime ? `${new Date(timeMs).toISOString().slice(0, 23)}000000Z ${text}\n` : `${text}\n`
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  let lines = linesBetween(source, fromMs, nowMs)
  if (tail !== undefined) lines = tail === 0 ? [] : lines.slice(-tail)
  const text = lines.map(format).join('')
  response.write(limitBytes === undefined ? text : Buffer.from(text).subarray(0, Math.max(0, limitBytes)))
  if (!isTrue(query, 'follow') || source.endedMs !== undefined) {
    response.end()
    return
  }
  follow(call, source, nowMs, format)
  request.once('aborted', () => response.end())
}

function follow(
  { cluster, response }: ApiRequest,
  source: LogSource,
  startMs: number,
  format: (line: LogLine) => string,
): void {
  const { clock, store } = cluster
  const { metadata } = source.pod
  let saidMs = startMs
  let cancel: () => void = () => undefined
  const wait = () => {
    cancel = clock.after(Math.max(20, nextLineMs(source, saidMs) - clock.now() + 1), say)
  }
  const say = () => {
    const nowMs = clock.now() + 1
    const text = linesBetween(source, saidMs, nowMs).map(format).join('')
    saidMs = nowMs
    if (response.writableEnded) return
    if (text !== '') response.write(text)
    wait()
  }
  const stop = store.subscribe(pods.key, ({ type, object }) => {
    // The pod may change again before the connection is closed.
    if (object.metadata.uid !== metadata.uid || response.writableEnded) return
    const pod = store.get(pods, metadata.namespace, metadata.name)
    const status = statusesOf(pod?.status).find((one) => one.name === source.container.name)
    const isSameRun = status?.state?.running !== undefined && status.restartCount === source.run
    if (type !== 'DELETED' && isSameRun) return
    response.end(lastLines(source, status, saidMs).map(format).join(''))
  })
  response.once('close', () => {
    stop()
    cancel()
  })
  wait()
}
