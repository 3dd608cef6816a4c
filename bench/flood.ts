import type { BeySession } from '../tools/api-session.ts'
import type { BeyServer } from '../tools/bey-server.ts'

/** Starts the pod `default/flood`, which writes 5,000 lines a second: 100 every 20 ms. */
export async function startFlood(
  bey: Pick<BeyServer, 'url'>,
  session: Pick<BeySession, 'token'>,
  clusterId: number,
): Promise<void> {
  const line = 'i=$((i+1)); echo "{\\"level\\":\\"info\\",\\"msg\\":\\"order $i\\",\\"ms\\":12}"; '
  const reply = await fetch(
    `${bey.url}/api/kubernetes/clusters/${clusterId}/proxy/api/v1/namespaces/default/pods`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'flood' },
        spec: {
          containers: [
            {
              name: 'app',
              image: 'busybox',
              // 100 lines every 20 ms.
              command: ['sh', '-c', `i=0; while true; do ${line.repeat(100)}sleep 0.02; done`],
            },
          ],
        },
      }),
    },
  )
  if (!reply.ok) throw new Error(`The pod was not made: ${await reply.text()}`)
}
