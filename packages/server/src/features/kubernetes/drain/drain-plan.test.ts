import { expect, test } from 'vitest'
import type { DrainPod } from './drain-plan.ts'
import { planDrain } from './drain-plan.ts'

const cautious = { force: false, deleteEmptyDirData: false }
const pod = (name: string, rest: DrainPod = {}): DrainPod => ({
  ...rest,
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, ...rest.metadata },
})
const ownedBy = (kind: string) => ({ ownerReferences: [{ kind, name: 'owner', controller: true }] })

test('pods of a controller go; those of daemon sets and of the node itself stay, each with its reason', () => {
  const plan = planDrain(
    [
      pod('web', { metadata: ownedBy('ReplicaSet') }),
      pod('agent', { metadata: ownedBy('DaemonSet') }),
      pod('kube-proxy', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    ],
    cautious,
  )
  expect(plan.evict).toEqual([{ namespace: 'shop', name: 'web', uid: 'uid-web' }])
  expect(plan.stay).toEqual([
    { pod: 'shop/agent', why: 'the daemon set "owner" runs it on every node' },
    { pod: 'shop/kube-proxy', why: 'the node itself runs it' },
  ])
  expect(plan.refused).toEqual([])
})

test('a pod without a controller is refused unless forced, and never when it is over', () => {
  const alone = pod('alone')
  const done = pod('done', { status: { phase: 'Succeeded' } })
  expect(planDrain([alone, done], cautious)).toMatchObject({
    evict: [{ name: 'done' }],
    refused: [{ pod: 'shop/alone', why: 'nothing would start it again' }],
  })
  expect(planDrain([alone], { ...cautious, force: true }).evict).toHaveLength(1)
})

test('data of an emptyDir volume is lost only where that is allowed', () => {
  const cache = pod('cache', {
    metadata: ownedBy('ReplicaSet'),
    spec: { volumes: [{ name: 'data', emptyDir: {} }] },
  })
  expect(planDrain([cache], cautious).refused).toEqual([
    { pod: 'shop/cache', why: 'what it keeps in the emptyDir volume "data" would be lost' },
  ])
  expect(planDrain([cache], { ...cautious, deleteEmptyDirData: true }).evict).toHaveLength(1)
})
