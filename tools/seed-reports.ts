import type { BeySession } from './api-session.ts'

/** An error that a console met, where none was reported yet. Answers its id. */
export async function seedError({ client }: BeySession): Promise<string> {
  const { groups } = await client.call('errors.list', { query: {} })
  if (groups[0]) return groups[0].id
  const message = "Cannot read properties of undefined (reading 'replicas')"
  const at = new Date().toISOString()
  const { errorIds } = await client.call('errors.log', {
    body: {
      errors: [
        {
          message,
          stack: `TypeError: ${message}\n    at WorkloadRow (https://bey.example.com/assets/workloads-tab-1a2b3c4d.js:1:2048)`,
          timestamp: at,
          url: '/kubernetes/clusters/1/workloads',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
          additionalContext: {
            kind: 'error',
            breadcrumbs: [{ at, type: 'route', message: '/kubernetes/clusters/1/workloads' }],
          },
        },
      ],
    },
  })
  const [id] = errorIds
  if (!id) throw new Error('The error was reported, but not counted.')
  return id
}

/** A note on the list of clusters, where nobody left one yet. */
export async function seedAnnotation({ client }: BeySession): Promise<void> {
  const { total } = await client.call('annotations.list', { query: {} })
  if (total > 0) return
  const { id: userId } = await client.call('auth.me', {})
  await client.call('annotations.create', {
    body: {
      userId,
      componentName: 'PageHeader',
      xpath: '//*[@id="main"]/header[1]',
      annotationText: 'Say how many clusters need attention.',
      url: '/kubernetes/clusters',
      viewport: { width: 1440, height: 900 },
      elementRect: { top: 48, left: 256, width: 1184, height: 72 },
    },
  })
}
