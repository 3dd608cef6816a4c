import type { MeasuredVolume } from '@bey/contract'
import { nearlyFullShare, volumeShare } from '@bey/contract'
import type { Rule } from '../rule.ts'
import { depths, editRemedy, eventWith, missingClassRemedies, openRemedy, proof, refOf } from '../rule.ts'
import type { Situation } from '../situation.ts'

function claimRef({ subject }: Situation) {
  return refOf('PersistentVolumeClaim', subject.namespace, subject.name)
}

type ClaimSpec = { resources?: { requests?: { storage?: string } } }

function volumeText({ usedBytes, capacityBytes, inodesUsed, inodes }: MeasuredVolume, isOfInodes: boolean) {
  return isOfInodes
    ? `${inodesUsed} of ${inodes} inodes are used`
    : `${binaryText(usedBytes)} of ${binaryText(capacityBytes)} are used`
}

/** "9.3 GiB", as kubectl users write sizes. */
function binaryText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}

const isPendingClaim = ({ subject }: Situation) =>
  subject.kind === 'PersistentVolumeClaim' && subject.object.status?.['phase'] !== 'Bound'

export const claimRules: Rule[] = [
  {
    id: 'volume-full',
    find(situation) {
      const { volume, mountedBy } = situation
      if (!volume || volumeShare(volume) < nearlyFullShare) return null
      const object = claimRef(situation)
      const isOfInodes = volumeShare(volume) > volume.usedBytes / volume.capacityBytes
      const spec = situation.subject.object.spec as ClaimSpec | undefined
      return {
        cause: isOfInodes
          ? 'Its volume has nearly no inodes left, so that no more files can be made in it'
          : 'The data of its pods have nearly filled its volume',
        depth: depths.object,
        evidence: [
          proof('volume', volumeText(volume, isOfInodes), { object }),
          ...(spec?.resources?.requests?.storage
            ? [proof('status', `The claim asks for ${spec.resources.requests.storage}`, { object })]
            : []),
          ...mountedBy.map((name) =>
            proof('reference', 'It is mounted by a pod', {
              object: refOf('Pod', situation.subject.namespace, name),
            }),
          ),
        ],
        remedies: [
          {
            text: 'Expand the claim, where its class allows that',
            action: { id: 'expand', object },
            command: `kubectl patch pvc ${object.name} -n ${object.namespace} -p '{"spec":{"resources":{"requests":{"storage":"<size>"}}}}'`,
          },
          ...mountedBy
            .slice(0, 1)
            .map((name) =>
              openRemedy(`Free space in the pod ${name}`, refOf('Pod', situation.subject.namespace, name)),
            ),
        ],
      }
    },
  },
  {
    id: 'claim-class-missing',
    isLasting: true,
    find(situation) {
      const missing = situation.missing.find(({ kind }) => kind === 'StorageClass')
      if (!isPendingClaim(situation) || !missing) return null
      return {
        cause: `The storage class "${missing.name}" does not exist`,
        depth: depths.dependency,
        evidence: [
          proof('reference', `There is no storage class "${missing.name}"`, { object: claimRef(situation) }),
        ],
        remedies: missingClassRemedies(missing.name, situation.subject.namespace, situation.subject.name),
      }
    },
  },
  {
    id: 'claim-waits-for-consumer',
    find(situation) {
      const event = eventWith(situation, ['WaitForFirstConsumer'])
      if (!isPendingClaim(situation) || !event) return null
      return {
        cause: 'Its class makes the volume when a pod first uses the claim, and none does',
        depth: depths.object,
        evidence: [
          proof('event', 'It waits for its first consumer', {
            quote: event.message,
            object: claimRef(situation),
            at: event.lastSeenAt,
          }),
        ],
        remedies: [openRemedy('Start a pod that mounts the claim', claimRef(situation))],
      }
    },
  },
  {
    id: 'claim-provisioning',
    find(situation) {
      const event = eventWith(situation, ['ProvisioningFailed', 'FailedBinding'])
      if (!isPendingClaim(situation) || !event) return null
      return {
        cause: 'No volume could be made or found for the claim',
        depth: depths.object,
        evidence: [
          proof('event', event.reason, {
            quote: event.message,
            object: claimRef(situation),
            at: event.lastSeenAt,
          }),
        ],
        remedies: [openRemedy('Look at the class and its provisioner', claimRef(situation))],
      }
    },
  },
]

export const ingressRules: Rule[] = [
  {
    id: 'ingress-reference',
    isLasting: true,
    find({ subject, missing }) {
      const [first] = missing
      if (subject.kind !== 'Ingress' || !first) return null
      const object = refOf('Ingress', subject.namespace, subject.name)
      const noun = first.kind === 'Secret' ? 'TLS secret' : first.kind.toLowerCase()
      return {
        cause: `The ${noun} "${first.name}" that the ingress names does not exist`,
        depth: depths.dependency,
        evidence: [
          proof('reference', `There is no ${noun} "${first.name}" in ${subject.namespace}`, { object }),
        ],
        remedies: [editRemedy('Correct the name, or create it', object)],
      }
    },
  },
  {
    id: 'ingress-no-endpoints',
    isLasting: true,
    find({ subject, readyEndpoints }) {
      const empty = Object.entries(readyEndpoints).find(([, count]) => count === 0)?.[0]
      if (subject.kind !== 'Ingress' || empty === undefined) return null
      const object = refOf('Service', subject.namespace, empty)
      return {
        cause: `No pod behind the service "${empty}" is ready, so requests fail`,
        depth: depths.dependency,
        evidence: [proof('reference', `The service "${empty}" has no ready endpoint`, { object })],
        remedies: [openRemedy('Look at the pods of the service and its selector', object)],
      }
    },
  },
]
