import type { Program } from './objects.ts'

const registry = 'registry.ostwind.example'
const image = (name: string, version: string) => `${registry}/${name}:${version}`

/** The four applications of the demo, each a namespace: what runs in production is smaller in staging. */
export const applications: Readonly<Record<string, readonly Program[]>> = {
  shop: [
    {
      name: 'storefront',
      image: image('storefront', '2.15.4'),
      replicas: 4,
      cpu: 300,
      memory: 256,
      port: 80,
    },
    { name: 'cart', image: image('cart', '1.31.0'), replicas: 3, cpu: 200, memory: 256 },
    { name: 'checkout', image: image('checkout', '2.15.0'), replicas: 3, cpu: 250, memory: 384 },
    { name: 'orders', image: image('orders', '4.7.2'), replicas: 3, cpu: 250, memory: 512 },
    { name: 'accounts', image: image('accounts', '3.2.9'), replicas: 2, cpu: 150, memory: 256 },
    { name: 'session-cache', image: 'redis:8.2', replicas: 2, cpu: 100, memory: 512, port: 6379 },
    { name: 'image-proxy', image: image('image-proxy', '1.4.4'), replicas: 2, cpu: 400, memory: 256 },
    { name: 'mailer', image: image('mailer', '1.9.1'), cpu: 50, memory: 128 },
    { name: 'vouchers', image: image('vouchers', '0.14.0'), replicas: 2, cpu: 80, memory: 128 },
    { name: 'feature-flags', image: image('feature-flags', '2.0.3'), replicas: 2, cpu: 60, memory: 128 },
    {
      name: 'orders-db',
      image: 'postgres:18',
      cpu: 500,
      memory: 1024,
      port: 5432,
      volume: { size: '50Gi', used: '21.4Gi' },
    },
  ],
  catalog: [
    { name: 'products', image: image('products', '5.3.1'), replicas: 3, cpu: 200, memory: 384 },
    {
      name: 'search',
      image: image('search', '5.0.4'),
      replicas: 6,
      cpu: 400,
      memory: 768,
      port: 9200,
      isReplacedAtOnce: true,
    },
    {
      name: 'recommend',
      image: image('recommend', '1.12.0'),
      replicas: 4,
      cpu: 250,
      memory: 512,
      needs: { service: 'search', port: 9200 },
    },
    {
      name: 'suggest',
      image: image('suggest', '0.8.6'),
      replicas: 3,
      cpu: 100,
      memory: 128,
      needs: { service: 'search', port: 9200 },
    },
    { name: 'prices', image: image('prices', '2.6.0'), replicas: 2, cpu: 150, memory: 256 },
    { name: 'stock', image: image('stock', '1.22.5'), replicas: 2, cpu: 150, memory: 256 },
    { name: 'reviews', image: image('reviews', '3.0.0'), replicas: 2, cpu: 120, memory: 256 },
    { name: 'media', image: image('media', '1.7.2'), replicas: 2, cpu: 200, memory: 256 },
    { name: 'indexer', image: image('indexer', '5.0.4'), cpu: 500, memory: 512 },
    {
      name: 'catalog-db',
      image: 'postgres:18',
      cpu: 500,
      memory: 1024,
      port: 5432,
      volume: { size: '80Gi', used: '33.1Gi' },
    },
  ],
  payments: [
    { name: 'gateway', image: image('gateway', '7.1.0'), replicas: 3, cpu: 200, memory: 256 },
    { name: 'ledger', image: image('ledger', '1.9.3'), replicas: 2, cpu: 300, memory: 512 },
    { name: 'fraud-check', image: image('fraud-check', '4.4.1'), replicas: 3, cpu: 500, memory: 1024 },
    { name: 'invoices', image: image('invoices', '2.2.0'), replicas: 2, cpu: 100, memory: 256 },
    { name: 'refunds', image: image('refunds', '1.3.7'), replicas: 2, cpu: 80, memory: 128 },
    { name: 'payouts', image: image('payouts', '1.1.2'), cpu: 80, memory: 128 },
    { name: 'exchange-rates', image: image('exchange-rates', '0.9.9'), cpu: 50, memory: 64 },
    {
      name: 'ledger-db',
      image: 'postgres:18',
      cpu: 500,
      memory: 1024,
      port: 5432,
      volume: { size: '40Gi', used: '18.2Gi' },
    },
  ],
  insight: [
    { name: 'events', image: image('events', '6.0.2'), replicas: 3, cpu: 300, memory: 512 },
    {
      name: 'pipeline',
      image: image('pipeline', '6.0.2'),
      replicas: 2,
      cpu: 600,
      memory: 1024,
      annotations: { 'sandbox.bey/cpu': '90m' },
    },
    { name: 'reports', image: image('reports', '2.8.0'), replicas: 2, cpu: 150, memory: 256 },
    { name: 'dashboards', image: image('dashboards', '1.5.0'), replicas: 2, cpu: 100, memory: 256 },
    {
      name: 'forecast',
      image: image('forecast', '0.6.1'),
      cpu: 800,
      memory: 2048,
      annotations: { 'sandbox.bey/cpu': '70m' },
    },
    { name: 'exporter', image: image('exporter', '1.0.8'), cpu: 50, memory: 64 },
    { name: 'queue', image: 'redis:8.2', replicas: 1, cpu: 100, memory: 512, port: 6379 },
    {
      name: 'warehouse-db',
      image: 'postgres:18',
      cpu: 800,
      memory: 2048,
      port: 5432,
      volume: { size: '200Gi', used: '96.5Gi' },
    },
  ],
}

/** A program of an application as it is, with some of it changed. */
export function changed(application: string, name: string, change: Partial<Program>): Program {
  const found = applications[application]?.find((each) => each.name === name)
  if (!found) throw new Error(`The demo has no program ${application}/${name}.`)
  return { ...found, ...change }
}

/** The same program at another version of its image. */
export function atVersion(application: string, name: string, version: string, more: Partial<Program> = {}) {
  return changed(application, name, {
    ...more,
    image: image(name, version),
    changeCause: `Deploy ${name} ${version}`,
  })
}
