/** What is known of a sample before its manifest is loaded. */
export interface Sample {
  id: 'shop' | 'crashing' | 'batch'
  label: string
  description: string
  /** Its own; it goes with everything in it. */
  namespace: string
  /** What the nodes of the cluster pull. */
  images: readonly string[]
}

export const samples: readonly Sample[] = [
  {
    id: 'shop',
    label: 'Shop',
    description:
      'A storefront behind an ingress, an API that scales with the load of its visitors, a database and a cache.',
    namespace: 'sample-shop',
    images: ['nginx:1.29', 'registry.k8s.io/hpa-example', 'postgres:18', 'redis:8', 'busybox:1.37'],
  },
  {
    id: 'crashing',
    label: 'Crashing services',
    description:
      'One ends soon after each start, one needs a config map that is missing, one has an image that is not there.',
    namespace: 'sample-crashing',
    images: ['busybox:1.37', 'registry.example.com/does-not-exist:1.0'],
  },
  {
    id: 'batch',
    label: 'Batch jobs',
    description: 'A job with six runs, two at a time, and a cron job that runs each minute.',
    namespace: 'sample-batch',
    images: ['busybox:1.37'],
  },
]
