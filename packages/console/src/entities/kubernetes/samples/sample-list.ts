/** What is known of a sample before its manifest is loaded. */
export interface Sample {
  id: 'shop' | 'queue' | 'nightly' | 'store' | 'objects' | 'crashing'
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
    id: 'queue',
    label: 'Queue with workers',
    description:
      'A producer fills a queue in Redis, and three workers empty it; more of them come with the load.',
    namespace: 'sample-queue',
    images: ['redis:8'],
  },
  {
    id: 'nightly',
    label: 'Nightly job',
    description:
      'A cron job of the night that fails since its token is missing, its last run, and one each minute that works.',
    namespace: 'sample-nightly',
    images: ['busybox:1.37'],
  },
  {
    id: 'store',
    label: 'Stateful store',
    description: 'Three pods of PostgreSQL with volumes of their own, of which two always stay.',
    namespace: 'sample-store',
    images: ['postgres:18'],
  },
  {
    id: 'objects',
    label: 'Every kind',
    description: 'One object of every kind that lives in a namespace, each as small as it can be.',
    namespace: 'sample-objects',
    images: ['busybox:1.37'],
  },
  {
    id: 'crashing',
    label: 'Crashing services',
    description:
      'One ends soon after each start, one needs a config map that is missing, one has an image that is not there.',
    namespace: 'sample-crashing',
    images: ['busybox:1.37', 'registry.example.com/does-not-exist:1.0'],
  },
]
