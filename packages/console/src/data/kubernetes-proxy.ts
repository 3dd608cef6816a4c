import { useMutation, useQuery } from '@tanstack/react-query'
import { sessionFetch } from '../lib/api.ts'
import { failureOfBody, KubernetesError } from '../lib/kubernetes-error.ts'
import { apiPath } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** A request as the API server of a cluster understands it. */
export interface KubernetesRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Encoded, from the root of the API server, with its query: `/api/v1/namespaces/shop/pods/web`. */
  path: string
  /** Of the body: `application/json` by default; patches say which kind they are. */
  contentType?: string
  /** Text is sent as it is, everything else as JSON. */
  body?: unknown
  /** Asks for the metadata of the answered object alone: its content shall not reach the browser. */
  isMetadataOnly?: boolean
}

/**
 * Sends a request to a cluster through its proxy, in the name of the person who is logged in, and answers the object that came
 * back; undefined where there was none. Throws KubernetesError, whose message says what the cluster refused and why.
 */
export async function sendToCluster(
  clusterId: number,
  request: KubernetesRequest,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await answerOf(clusterId, request, signal)
  const text = await response.text()
  if (!response.ok) throw new KubernetesError(failureOfBody(response.status, text))
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

async function answerOf(
  clusterId: number,
  { method, path, contentType = 'application/json', body, isMetadataOnly = false }: KubernetesRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await sessionFetch(proxyPath(clusterId, path), {
      method,
      headers: {
        accept: isMetadataOnly ? metadataOnly : 'application/json',
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const message = 'The server cannot be reached. Check that it is running and try again.'
    const failure = { code: 0, reason: '', message, causes: [], retryAfterSeconds: undefined }
    throw new KubernetesError(failure, { cause: error })
  }
}

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/** Where the console finds a path of a cluster's API server. */
function proxyPath(clusterId: number, path: string): string {
  return `${apiPath('clusters.get', { id: clusterId })}/proxy${path}`
}

/** An object of a cluster as it is now, read in the name of the person who looks; nothing is asked without a request. */
export function useClusterRead(clusterId: number, request: KubernetesRequest | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: ['kubernetes-proxy', organizationId, clusterId, request],
    queryFn: ({ signal }) => (request ? sendToCluster(clusterId, request, signal) : null),
    enabled: request !== undefined,
    // It is read to act on it.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

/** An act on a cluster that its caller describes, for its progress and its failure. */
export function useClusterAct<Input, Result>(act: (input: Input) => Promise<Result>) {
  return useMutation({ mutationFn: act })
}
