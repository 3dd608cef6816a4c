import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { signingRequests, type CertificateSigningRequest } from '../types.ts'
import { isTrue, withCondition } from './conditions.ts'
import { runController, type Controller } from './controller.ts'

const yearSeconds = 365 * 24 * 60 * 60

/** The signers that a control plane has itself, each with the usage that it requires. */
const signers: Readonly<Record<string, string | undefined>> = {
  'kubernetes.io/kube-apiserver-client': 'client auth',
  'kubernetes.io/kube-apiserver-client-kubelet': 'client auth',
  'kubernetes.io/kubelet-serving': 'server auth',
  'kubernetes.io/legacy-unknown': undefined,
}

/** Issues the certificates of requests that somebody has approved. */
export function runSigner(cluster: Cluster): Controller {
  const { store, resources, clock } = cluster
  const underWay = new Set<string>()

  function finish(
    request: CertificateSigningRequest,
    certificate: string | undefined,
    problem: string,
  ): void {
    const current = store.get(signingRequests, undefined, request.metadata.name)
    if (!current) return
    resources.changeStatus(signingRequests, current, (draft) => {
      const now = stamp(clock.now())
      let conditions = (draft.status?.conditions ?? []).map((one) => ({ lastTransitionTime: now, ...one }))
      if (certificate === undefined) {
        const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: problem }
        conditions = withCondition(
          conditions,
          { ...failed, lastUpdateTime: now, lastTransitionTime: now },
          clock.now(),
        )
      }
      const issued =
        certificate === undefined ? {} : { certificate: Buffer.from(certificate).toString('base64') }
      draft.status = { ...draft.status, conditions, ...issued }
    })
  }

  async function sign(request: CertificateSigningRequest): Promise<void> {
    const { usages = [], signerName, expirationSeconds = yearSeconds } = request.spec
    const usage = signers[signerName]
    if (usage !== undefined && !usages.includes(usage)) {
      return finish(request, undefined, `usages did not include ${usage}`)
    }
    const { authority } = cluster
    if (!authority) return finish(request, undefined, "the key of this cluster's authority was not kept")
    const pem = Buffer.from(request.spec.request, 'base64').toString('utf8')
    try {
      const { signRequest } = await import('../http/sign-request.ts')
      const forMs = expirationSeconds * 1000
      finish(request, await signRequest(authority, pem, usages, clock.now(), forMs), '')
    } catch (error) {
      finish(request, undefined, error instanceof Error ? error.message : String(error))
    }
  }

  return runController(cluster, {
    kind: signingRequests,
    sync(request) {
      const { conditions, certificate } = request.status ?? {}
      const { uid } = request.metadata
      const isOurs = Object.hasOwn(signers, request.spec.signerName)
      const isOver = certificate !== undefined || isTrue(conditions, 'Denied') || isTrue(conditions, 'Failed')
      if (!isOurs || isOver || !isTrue(conditions, 'Approved') || underWay.has(uid)) return
      underWay.add(uid)
      sign(request)
        .catch(cluster.report)
        .finally(() => underWay.delete(uid))
    },
  })
}
