import { canReach } from '../packages/contract/src/reachability/can-reach.ts'
import { compilePolicies, type CompiledPolicies } from '../packages/contract/src/reachability/compile.ts'
import { columnsOf, groupPods } from '../packages/contract/src/reachability/group.ts'
import { matrixOf } from '../packages/contract/src/reachability/matrix.ts'
import type { Endpoint } from '../packages/contract/src/reachability/endpoint.ts'
import { whatIf } from '../packages/contract/src/reachability/what-if.ts'
import { findingsOf } from '../packages/contract/src/reachability/analysis.ts'
import { largeFacts } from '../packages/contract/src/testing/large-facts.ts'
import { isOpenNaively } from '../packages/contract/src/testing/naive-policies.ts'
import { report } from './figure.ts'
import { median, percentile } from './process-figures.ts'

const size = { namespaces: 25, workloads: 200, podsEach: 10, policies: 500 }
const rounds = 9

function timesOf(work: (round: number) => void, count = rounds): number[] {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) {
    const startedAt = performance.now()
    work(round)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Answers about 2,000 pods under 500 policies, against an evaluator that asks every policy anew. */
export async function run(): Promise<void> {
  const facts = largeFacts(size)
  // What is asked first is asked by a process that has compiled nothing yet.
  const [firstMs = 0, ...compileMs] = timesOf(() => void compilePolicies(facts))
  const compiled = compilePolicies(facts)
  const answers = timesOf((round) => void ask(compiled, round), 300)
  const groups = groupPods(compiled, 'workload')
  const columns = columnsOf(compiled, groups)
  const matrices = timesOf(() => void matrixOf(compiled, groups, columns))
  const cpuBefore = process.cpuUsage()
  const whatIfs = timesOf((round) => void whatIf(compiled, changed(compiled, round)))
  const { user, system } = process.cpuUsage(cpuBefore)
  const widest = timesOf(
    () => void whatIf(compiled, { policies: facts.policies.filter(({ name }) => name !== 'default-deny') }),
  )
  const findings = timesOf(() => void findingsOf(compiled), 3)
  const [naiveMs = 0] = timesOf(() => askNaively(compiled), 1)
  report({ name: 'compiling 2,000 pods and 500 policies, the first time', value: firstMs, unit: 'ms' })
  report({
    name: 'the same again',
    value: median(compileMs),
    unit: 'ms',
    detail: `${compiled.classes.list.length} classes of pods`,
  })
  report({ name: 'an answer about a service, p95', value: percentile(answers, 0.95), unit: 'ms', goal: 20 })
  report({
    name: 'the first answer, policies compiled for it',
    value: firstMs + (answers[0] ?? 0),
    unit: 'ms',
  })
  report({
    name: 'matrix of 200 × 200 workloads',
    value: median(matrices),
    unit: 'ms',
    goal: 500,
    detail: `the slowest of ${rounds}: ${Math.max(...matrices).toFixed(0)} ms`,
  })
  report({
    name: 'what-if of one policy',
    value: median(whatIfs),
    unit: 'ms',
    goal: 100,
    detail: `the slowest of ${rounds}: ${Math.max(...whatIfs).toFixed(0)} ms; ${((user + system) / 1_000 / rounds).toFixed(0)} ms of CPU each, which other work on the machine does not change`,
  })
  report({ name: 'what-if without any default deny', value: median(widest), unit: 'ms' })
  report({ name: 'findings about all rules', value: median(findings), unit: 'ms' })
  report({
    name: 'the same flows by the naive evaluator, one pod each',
    value: naiveMs / median(matrices),
    unit: '×',
    detail: `${naiveMs.toFixed(0)} ms for 40,000 pairs of single pods`,
  })
}

function ask(compiled: CompiledPolicies, round: number) {
  const { pods, services } = compiled.snapshot
  const pod = pods[(round * 37) % pods.length]
  const service = services[(round * 13) % services.length]
  if (!pod || !service) throw new Error('The cluster is empty.')
  const from: Endpoint = { kind: 'pod', namespace: pod.namespace, name: pod.name }
  const to: Endpoint = { kind: 'service', namespace: service.namespace, name: service.name }
  return canReach(compiled, from, to, { protocol: 'TCP', port: 80 })
}

/** The first pod of each workload against that of each other. */
function askNaively({ snapshot }: CompiledPolicies): void {
  const { pods, policies } = snapshot
  const firsts = pods.filter((_, index) => index % size.podsEach === 0)
  for (const from of firsts)
    for (const to of firsts) isOpenNaively(snapshot, policies, from, to, { protocol: 'TCP', port: 8080 })
}

/** One policy without its first ingress rule. */
function changed({ snapshot }: CompiledPolicies, round: number) {
  const index = 100 + round * 20
  const policies = snapshot.policies.map((one, at) =>
    at === index ? { ...one, spec: { ...one.spec, ingress: one.spec.ingress?.slice(1) } } : one,
  )
  return { policies }
}
