import type { ContextProblem } from './kubeconfig.ts'
import type { KubeconfigUser } from './kubeconfig-shape.ts'

/** What makes a token that lives on its own: for credentials that only a program on somebody's machine can renew. */
const serviceAccountCommands: readonly string[] = [
  'kubectl -n kube-system create serviceaccount bey',
  'kubectl create clusterrolebinding bey --clusterrole=cluster-admin --serviceaccount=kube-system:bey',
  `kubectl -n kube-system apply -f - <<'EOF'
apiVersion: v1
kind: Secret
metadata:
  name: bey-token
  annotations:
    kubernetes.io/service-account.name: bey
type: kubernetes.io/service-account-token
EOF`,
  "kubectl -n kube-system get secret bey-token -o jsonpath='{.data.token}' | base64 -d",
]

const serviceAccount =
  'Make a service account with a token of its own, and put that token into the kubeconfig instead. Bind it to another role than cluster-admin where Bey shall do less.'

/** What of a user's credentials cannot work from a server; `flatten` is the command that embeds files. */
export function credentialProblems(user: KubeconfigUser | undefined, flatten: string): ContextProblem[] {
  if (user === undefined) return []
  const problems: ContextProblem[] = []
  if (user.exec !== undefined) {
    // The command's name only: its arguments may hold anything.
    const command = user.exec.command?.split('/').at(-1) ?? ''
    problems.push({
      title: 'It logs in with a program',
      detail: `The exec plug-in${command === '' ? '' : ` "${command}"`} runs on your machine; a server runs no programs of a kubeconfig. ${serviceAccount}`,
      commands: [...serviceAccountCommands],
    })
  }
  if (user['auth-provider'] !== undefined) {
    problems.push({
      title: 'It logs in with an auth-provider',
      detail: `Kubernetes has removed auth-provider blocks. ${serviceAccount}`,
      commands: [...serviceAccountCommands],
    })
  }
  if (user.username !== undefined || user.password !== undefined) {
    problems.push({
      title: 'It logs in with a password',
      detail: `Kubernetes has taken no user names and passwords since version 1.19. ${serviceAccount}`,
      commands: [...serviceAccountCommands],
    })
  }
  const files = [
    user.tokenFile !== undefined && !user.token && 'tokenFile',
    user['client-certificate'] !== undefined && !user['client-certificate-data'] && 'client-certificate',
    user['client-key'] !== undefined && !user['client-key-data'] && 'client-key',
  ].filter((each) => each !== false)
  if (files.length > 0) {
    const names = files.join(' and ')
    problems.push({
      title: 'It names files of credentials',
      detail: `${names} ${files.length === 1 ? 'is a path' : 'are paths'} on your machine, which this server cannot read. Embed ${files.length === 1 ? 'it' : 'them'}${files.includes('tokenFile') ? '; kubectl does not embed a tokenFile, so put its contents under token' : ''}.`,
      commands: [flatten],
    })
  }
  if (
    !user.as &&
    (user['as-groups'] !== undefined || user['as-uid'] !== undefined || user['as-user-extra'] !== undefined)
  ) {
    problems.push({
      title: 'It impersonates nobody',
      detail: 'as-groups, as-uid and as-user-extra need as, which names the user.',
      commands: [],
    })
  }
  return problems
}
