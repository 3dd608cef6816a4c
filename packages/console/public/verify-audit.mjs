#!/usr/bin/env node
// Verifies an exported part of Bey's audit log ("Export, JSON Lines with proof") without the server that wrote it.
//
//   node verify-audit.mjs audit-2026-11-22.proof.jsonl [--key 0123456789abcdef]
//
// Needs Node 20 or newer and nothing else. It computes the hash of each entry again and compares the entry with the text
// that the hash covers, follows the chain from the first line to a checkpoint, and verifies the Ed25519 signature of that
// checkpoint. With --key only that public key is accepted: the console names it beside the verification, and the person who wrote
// it down before knows that the file was not signed anew. Exit code 0: proved; 1: not proved; 2: the file cannot be read.
import { createHash, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

class NotProved extends Error {}

/** What the hash of an entry covers, as the array that it is, compared with what the entry says. */
function checkEntry(entry) {
  const { proof } = entry
  if (sha256(proof.text) !== proof.entryHash) throw new NotProved('its text does not have its hash')
  const [, , sequence, id, atMs, ...rest] = JSON.parse(proof.text)
  const covered = rest.slice(0, 15)
  const others = rest.slice(15)
  const named = Object.assign({}, ...others.filter((value) => typeof value === 'object' && value !== null))
  const grounds = named.grounds ?? null
  const intentId = others.find((value) => typeof value === 'string') ?? null
  const { actor, target } = entry
  const said = [
    [actor.type, actor.id, actor.name, entry.via, entry.action, entry.class],
    [target?.type ?? null, target?.id ?? null, target?.name ?? null, entry.outcome],
    [entry.ip, entry.userAgent, entry.requestId, entry.runId, entry.diff],
  ].flat()
  const isSame =
    sequence === proof.sequence &&
    id === entry.id &&
    atMs === Date.parse(entry.at) &&
    canonical(covered) === canonical(said) &&
    canonical(grounds) === canonical(entry.grounds) &&
    (named.actorEmail ?? null) === (actor.email ?? null) &&
    intentId === entry.intentId
  if (!isSame) throw new NotProved('it says something else than the text that its hash covers')
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}

function checkLink({ number, proof }, organizationId, previous) {
  const { sequence, entryHash, previousHash, hash } = proof
  const link = `["${previousHash}", ${organizationId}, ${number}, ${sequence}, "${entryHash}"]`
  if (sha256(link) !== hash) throw new NotProved('its link does not have its hash')
  if (previous === undefined) return
  if (number !== previous.number + 1) throw new NotProved(`it does not follow entry ${previous.number}`)
  if (previousHash !== previous.proof.hash) throw new NotProved('it is not chained to the entry before it')
}

function checkCheckpoint(checkpoint, { organizationId, keys, links }) {
  const { of, position, at, hash, keyId, signature, signedText } = checkpoint
  const pem = keys.get(keyId)
  if (pem === undefined) throw new NotProved(`it is signed with the key ${keyId}, which is not accepted`)
  const text = ['bey-audit-checkpoint', organizationId, of, position, at, hash].join('\n')
  if (text !== signedText) throw new NotProved('it says something else than what was signed')
  if (!verify(null, Buffer.from(text, 'utf8'), pem, Buffer.from(signature, 'base64'))) {
    throw new NotProved('its signature is not valid')
  }
  if (links.get(position) !== hash) throw new NotProved('the chain has another hash at its position')
}

/** Throws NotProved with the line at fault. */
function prove(lines, acceptedKey) {
  const [head, ...rest] = lines
  if (head?.kind !== 'proof' || head.version !== 1)
    throw new NotProved('Line 1: this is no proof of an audit log')
  const { organizationId } = head
  const keys = new Map()
  for (const { id, pem } of head.publicKeys) {
    if (sha256(pem).slice(0, 16) !== id) throw new NotProved(`Line 1: the key ${id} has another id`)
    if (acceptedKey === undefined || acceptedKey === id) keys.set(id, pem)
  }
  const links = new Map()
  let previous
  let entries = 0
  let lastEntry = 0
  let signed
  for (const [index, line] of rest.entries()) {
    try {
      if (line.kind === 'checkpoint') {
        checkCheckpoint(line, { organizationId, keys, links })
        if (entries === 0) throw new NotProved('No entry matches the filters')
        if (signed === undefined || line.position > signed.position) signed = line
        continue
      }
      checkLink(line, organizationId, previous)
      if (line.kind === 'entry') {
        checkEntry(line)
        entries += 1
        lastEntry = line.number
      }
      links.set(line.number, line.proof.hash)
      previous = line
    } catch (error) {
      const name = line.kind === 'checkpoint' ? `the checkpoint at ${line.position}` : `entry ${line.number}`
      throw new NotProved(`Line ${index + 2}, ${name}: ${error.message}`, { cause: error })
    }
  }
  if (entries !== head.entries) {
    throw new NotProved(`The file says that it has ${head.entries} entries, and it has ${entries}`)
  }
  if (signed === undefined || signed.position < lastEntry) {
    throw new NotProved('No signed checkpoint follows the last entry')
  }
  return { entries, links: links.size, signed, organizationId, filters: head.filters }
}

function main(args) {
  const at = args.indexOf('--key')
  const acceptedKey = at === -1 ? undefined : args[at + 1]
  const path = args.find((_arg, index) => at === -1 || (index !== at && index !== at + 1))
  if (path === undefined) {
    console.error('Usage: node verify-audit.mjs FILE [--key ID]')
    return 2
  }
  let lines
  try {
    lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch (error) {
    console.error(`${path} cannot be read: ${error.message}`)
    return 2
  }
  try {
    const { entries, links, signed, organizationId, filters } = prove(lines, acceptedKey)
    console.log(
      `PROVED: ${entries} ${entries === 1 ? 'entry' : 'entries'} of organization ${organizationId}, in a chain of ${links} without a gap.`,
    )
    console.log(`Filters: ${JSON.stringify(filters)}`)
    console.log(`Signed at ${signed.at}, at entry ${signed.position}, with the key ${signed.keyId}.`)
    if (acceptedKey === undefined)
      console.log('Compare the key with the one that you know, or pass it by --key.')
    return 0
  } catch (error) {
    console.error(`NOT PROVED. ${error.message}.`)
    return 1
  }
}

process.exitCode = main(process.argv.slice(2))
