type Free = Record<string, unknown>

/** The parts of an object that say what it runs, without the values of environment variables, which may be secret. */
export function describeContainers(object: Free) {
  const metadata = free(object['metadata'])
  const spec = free(object['spec'])
  const template = free(free(spec['template'])['spec'])
  const pod = Array.isArray(template['containers']) ? template : spec
  const containers = Array.isArray(pod['containers']) ? (pod['containers'] as unknown[]) : []
  return {
    createdAt: text(metadata['creationTimestamp']),
    labels: texts(metadata['labels']),
    replicas: typeof spec['replicas'] === 'number' ? spec['replicas'] : null,
    containers: containers.map((each) => {
      const container = free(each)
      const resources = free(container['resources'])
      const environment = Array.isArray(container['env']) ? (container['env'] as unknown[]) : []
      return {
        name: text(container['name']) ?? '',
        image: text(container['image']) ?? '',
        requests: texts(resources['requests']),
        limits: texts(resources['limits']),
        environment: environment.map((variable) => text(free(variable)['name']) ?? ''),
      }
    }),
  }
}

function free(value: unknown): Free {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(free(value)).map(([key, each]) => [key, String(each)]))
}
