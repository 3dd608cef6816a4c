import { WebSocket } from 'ws'

type Server = { url: string; caPem: string; adminToken: string }

/** Runs a command in the first container of a pod, past Bey. True when it ended with 0. */
export function execInPod(
  { url, caPem, adminToken }: Server,
  pod: { namespace: string; name: string },
  words: readonly string[],
): Promise<boolean> {
  const query = words.map((word) => `command=${encodeURIComponent(word)}`).join('&')
  const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/exec?${query}&stdout=true&stderr=true`
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, ['v5.channel.k8s.io'], {
    ca: caPem,
    headers: { authorization: `Bearer ${adminToken}` },
  })
  return new Promise((done, fail) => {
    let isSuccess = false
    socket.on('message', (data: Buffer) => (isSuccess ||= data[0] === 3 && data.includes('"Success"')))
    socket.on('close', () => done(isSuccess))
    socket.on('error', fail)
  })
}
