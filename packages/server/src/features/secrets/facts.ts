import 'reflect-metadata'
import { createPrivateKey, type KeyObject, X509Certificate as NodeCertificate } from 'node:crypto'
import { type SecretFacts, secretFields, type SecretType } from '@bey/contract'
import { PemConverter, SubjectAlternativeNameExtension, X509Certificate } from '@peculiar/x509'
import { parse } from 'yaml'
import { AppError } from '../../platform/errors.ts'
import { sshKeyProblem } from './ssh-key.ts'
import type { SecretValue } from './value.ts'

/** What a value says of itself that is no secret. Throws AppError where it is not what its type says. */
export async function readFacts(type: SecretType, { value }: SecretValue): Promise<SecretFacts> {
  const facts: SecretFacts = { fields: publicFields(type, value), certificate: null, contexts: [] }
  if (type === 'certificate' && typeof value !== 'string') {
    facts.certificate = await certificateFacts(value['certificate'] ?? '')
    checkCertificate(value['certificate'] ?? '', value['privateKey'] ?? '')
  }
  if (type === 'ssh_key' && typeof value !== 'string') {
    const problem = sshKeyProblem({ privateKey: value['privateKey'] ?? '', publicKey: value['publicKey'] })
    if (problem) throw invalid(`value.${problem.field}`, problem.message)
  }
  if (type === 'kubeconfig' && typeof value === 'string') facts.contexts = kubeconfigContexts(value)
  return facts
}

function publicFields(type: SecretType, value: SecretValue['value']): Record<string, string> {
  if (typeof value === 'string') return {}
  const shown = secretFields[type].filter(({ isPublic, isLong, name }) => isPublic && !isLong && value[name])
  return Object.fromEntries(shown.map(({ name }) => [name, value[name] ?? '']))
}

async function certificateFacts(pem: string): Promise<SecretFacts['certificate']> {
  const [leaf, chainLength] = readChain(pem)
  const names = leaf.getExtension(SubjectAlternativeNameExtension)?.names.items ?? []
  return {
    subject: leaf.subject,
    issuer: leaf.issuer,
    names: names.slice(0, 100).map(({ value }) => value),
    notBefore: leaf.notBefore.toISOString(),
    notAfter: leaf.notAfter.toISOString(),
    fingerprint: Buffer.from(await leaf.getThumbprint('SHA-256')).toString('hex'),
    chainLength,
  }
}

/** Refuses a chain that is not in order, and a key that is of another certificate: no server would start with them. */
function checkCertificate(pem: string, keyPem: string): void {
  const chain = (pem.match(pemCertificate) ?? []).map((block) => new NodeCertificate(block))
  const broken = chain.findIndex((each, index) => {
    const next = chain[index + 1]
    return next !== undefined && !each.checkIssued(next)
  })
  if (broken !== -1) {
    throw invalid(
      'value.certificate',
      `The chain is not in order: certificate ${broken + 1} was not issued by certificate ${broken + 2}. Begin with the server certificate, and let each be followed by its issuer.`,
    )
  }
  if (!chain[0]?.checkPrivateKey(readPrivateKey(keyPem))) {
    throw invalid('value.privateKey', 'This private key does not belong to the first certificate.')
  }
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // Without its cause, which may quote the text.
    throw invalid(
      'value.privateKey',
      'This is no private key in PEM, or it is encrypted. Decrypt it first: it is sealed here anyway.',
    )
  }
}

function readChain(pem: string): [X509Certificate, number] {
  try {
    const blocks = PemConverter.decodeWithHeaders(pem).filter(({ type }) => type === 'CERTIFICATE')
    const [first] = blocks
    if (first === undefined) throw new Error('no certificate')
    return [new X509Certificate(first.rawData), blocks.length]
  } catch (error) {
    throw invalid(
      'value.certificate',
      'This is no certificate in PEM. It begins with -----BEGIN CERTIFICATE-----, the server certificate first.',
      error,
    )
  }
}

function kubeconfigContexts(text: string): string[] {
  let config: unknown
  try {
    config = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw invalid('value', 'This is no kubeconfig: it is not YAML.', error)
  }
  const contexts = isRecord(config) ? config['contexts'] : undefined
  if (!Array.isArray(contexts)) throw invalid('value', 'This is no kubeconfig: it has no list "contexts".')
  return contexts
    .map((context: unknown) => (isRecord(context) ? context['name'] : undefined))
    .filter((name): name is string => typeof name === 'string')
    .slice(0, 100)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function invalid(path: string, message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }], cause })
}
