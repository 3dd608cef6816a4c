import { analyticsEndpoints } from './analytics.ts'
import { authEndpoints } from './auth.ts'
import { clusterEndpoints } from './clusters.ts'
import { kubernetesEndpoints, proxyEndpoints } from './kubernetes.ts'
import { organizationEndpoints } from './organizations.ts'
import { paletteEndpoints } from './palette.ts'
import { statusEndpoints } from './status.ts'
import { workflowEndpoints } from './workflows.ts'

/** Every endpoint of the product by its name. From this table the server mounts, the client calls and the tests sweep. */
export const api = {
  ...statusEndpoints,
  ...authEndpoints,
  ...organizationEndpoints,
  ...clusterEndpoints,
  ...kubernetesEndpoints,
  ...proxyEndpoints,
  ...workflowEndpoints,
  ...analyticsEndpoints,
  ...paletteEndpoints,
} as const

export type Api = typeof api
export type EndpointName = keyof Api
