import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { leavesOf } from '../../../../platform/masking/leaves.ts'
import type { KubeObject } from './kube-object.ts'

/** Kinds that hold secrets, such as Secret and SealedSecret: no versions of them are kept. */
const secretKinds = /secret|credential|password|token/i
/** A shorter member of a structured value, such as `default`, stands in names by chance. */
const shortestMember = 16

/**
 * Throws StepFailure where an object shows a secret to everybody who reads the cluster: in its name, labels or
 * annotations, or anywhere in an object that is no Secret, of which Bey keeps versions as well.
 */
export function refuseShownSecrets(objects: readonly KubeObject[], secretValues: readonly string[]): void {
  if (secretValues.length === 0) return
  const secrets = secretValues.flatMap(textsOf)
  for (const [index, object] of objects.entries()) {
    const { apiVersion, kind = '', metadata } = object
    const place = `Object ${index + 1} of the manifest`
    if (holds({ apiVersion, kind, metadata }, secrets)) {
      throw new StepFailure(
        `${place} has a secret in its name, labels or annotations, which everybody who reads the cluster sees. Put the secret into the data of a Secret.`,
      )
    }
    if (!secretKinds.test(kind) && holds(object, secrets)) {
      throw new StepFailure(
        `${place} (${kind}) would hold a secret as text: everybody who reads the cluster sees it, and versions of the object are kept. Put the secret into the data of a Secret, and let the object name that.`,
      )
    }
  }
}

function textsOf(value: string): string[] {
  const leaves = [...leavesOf(value)].map(({ content }) => content).filter((each) => typeof each === 'string')
  const [whole = value, ...members] = leaves
  return [whole, whole.trim(), ...members.filter((member) => member.length >= shortestMember)]
}

function holds(value: unknown, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return secrets.some((secret) => value.includes(secret))
  if (typeof value === 'number') return holds(String(value), secrets)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => holds(name, secrets) || holds(member, secrets))
}
