import type { Rule } from '../rule.ts'
import { depths, editRemedy, isoTime, kubectlTarget, openRemedy, ownerRef, proof, refOf } from '../rule.ts'
import type { Situation } from '../situation.ts'

/** Trouble that begins so long after a new revision is put down to it. */
const revisionWindowMs = 30 * 60_000

/** Since when the pod at fault exists: a pod of the newest revision is its consequence. */
function podCreatedMs({ pod }: Situation): number {
  return Date.parse(pod?.metadata?.creationTimestamp ?? '')
}

export const rolloutRules: Rule[] = [
  {
    id: 'bad-revision',
    find(situation) {
      const [newest, before] = situation.revisions
      if (!newest || !before) return null
      const changedMs = Date.parse(newest.createdAt)
      const isRecent = situation.nowMs - changedMs < revisionWindowMs || podCreatedMs(situation) >= changedMs
      const podMs = podCreatedMs(situation)
      // A pod of the revision before fails for another reason.
      if (!isRecent || Number.isNaN(podMs) || podMs < changedMs) return null
      const target = ownerRef(situation)
      const images = changedImages(before.images, newest.images)
      const what = images ?? 'the pod template'
      return {
        cause: `It began with revision ${newest.revision}, which changed ${what}`,
        depth: depths.change,
        evidence: [
          proof(
            'change',
            `Revision ${newest.revision} replaced revision ${before.revision}: ${what} changed`,
            {
              object: target,
              at: isoTime(newest.createdAt),
            },
          ),
        ],
        remedies: [
          {
            text: `Roll back to revision ${before.revision}`,
            action: { id: 'rollback', object: target },
            command: `kubectl rollout undo ${kubectlTarget(target)} --to-revision=${before.revision}`,
          },
        ],
      }
    },
  },
  {
    id: 'job-failed',
    find({ subject }) {
      if (subject.kind !== 'Job') return null
      const failed = subject.object.status?.conditions?.find(
        ({ type, status }) => type === 'Failed' && status === 'True',
      )
      if (!failed) return null
      const object = refOf('Job', subject.namespace, subject.name)
      const isDeadline = failed.reason === 'DeadlineExceeded'
      return {
        cause: isDeadline
          ? 'The job took longer than its active deadline allows'
          : 'The job failed as often as its back-off limit allows, and is not tried again',
        depth: depths.surface,
        evidence: [
          proof('status', `The job has failed: ${failed.reason ?? ''}`, {
            quote: failed.message ?? null,
            object,
            at: failed.lastTransitionTime,
          }),
        ],
        remedies: [openRemedy('Mend the cause, then run the job again', object)],
      }
    },
  },
  {
    id: 'paused',
    find({ subject }) {
      if (subject.kind !== 'Deployment' || subject.object.spec?.['paused'] !== true) return null
      const object = refOf('Deployment', subject.namespace, subject.name)
      return {
        cause: 'The rollout is paused, so changes do not reach the pods',
        depth: depths.surface,
        evidence: [proof('status', 'The deployment is paused', { object })],
        remedies: [
          {
            text: 'Resume the rollout',
            action: { id: 'open', object },
            command: `kubectl rollout resume ${kubectlTarget(object)}`,
          },
        ],
      }
    },
  },
  {
    id: 'finalizer',
    find({ subject, nowMs }) {
      const { deletionTimestamp, finalizers } = subject.object.metadata ?? {}
      if (!deletionTimestamp || !finalizers?.length) return null
      if (nowMs - Date.parse(deletionTimestamp) < 60_000) return null
      const object = { ...subject, object: undefined }
      const ref = {
        kind: object.kind,
        resource: object.resource,
        namespace: object.namespace,
        name: object.name,
      }
      return {
        cause: `It is being deleted, and waits for ${finalizers.join(', ')} to finish`,
        depth: depths.object,
        evidence: [
          proof('status', 'Its deletion was asked for and is not done', {
            object: ref,
            at: deletionTimestamp,
          }),
        ],
        remedies: [
          editRemedy(
            'See whether the controller behind the finalizer runs; remove it only if it is gone',
            ref,
          ),
        ],
      }
    },
  },
]

function changedImages(before: readonly string[], now: readonly string[]): string | null {
  const changed = now.filter((image) => !before.includes(image))
  const gone = before.filter((image) => !now.includes(image))
  if (changed.length === 0) return null
  const [from, to] = [gone[0], changed[0]]
  return gone.length === 1 && changed.length === 1 && from !== undefined && to !== undefined
    ? `the image from ${withoutPath(from, to)} to ${withoutPath(to, from)}`
    : `the images to ${changed.join(', ')}`
}

/** "search:5.0.5" of "registry.example.com/shop/search:5.0.5", where the other image has the same path. */
function withoutPath(image: string, other: string): string {
  const end = image.lastIndexOf('/') + 1
  return other.startsWith(image.slice(0, end)) ? image.slice(end) : image
}
