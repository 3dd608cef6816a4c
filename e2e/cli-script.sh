#!/usr/bin/env bash
# The main job in a pipeline, as the test of the command line runs it: a cluster, a deployment, a line of its log, things
# as files, and workflows that end well and badly. `$1` is a directory for files; BEY_URL, BEY_TOKEN and BEY_ORGANIZATION
# are set.
set -euo pipefail
cd "$1"
bey() { "$NODE" "$BEY" "$@"; }

mkdir -p shop
cat > shop/workflows.yaml <<'YAML'
kind: workflow
name: greet
spec:
  steps:
    - key: say
      name: Say
      type: script
      config:
        code: console.log('hello ' + input.name)
        input: { name: '{{ inputs.name }}' }
---
kind: workflow
name: break
spec:
  steps:
    - key: say
      name: Say
      type: script
      config:
        code: throw new Error('It broke.')
YAML
cat > shop/board.yaml <<'YAML'
kind: board
name: Shop
spec:
  description: What the shop does
YAML
cat > shop/secret.yaml <<'YAML'
kind: secret
name: orders-db
spec:
  description: Password of the orders
YAML
printf 'pa$$ word\n' > password.txt
cat > web.json <<'JSON'
{ "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" },
  "spec": { "replicas": 1, "selector": { "matchLabels": { "app": "web" } },
    "template": { "metadata": { "labels": { "app": "web" } },
      "spec": { "containers": [{ "name": "web", "image": "nginx:1.27" }] } } } }
JSON

id=$(bey clusters create --title pipeline --provider sandbox --wait --jq 'select(.status == "RUNNING").id' 2> progress.txt)
proxy=/api/kubernetes/clusters/$id/proxy/apis/apps/v1/namespaces/default/deployments
bey api POST "$proxy" --input web.json > /dev/null
until [ "$(bey api GET "$proxy/web" --jq .status.readyReplicas)" = 1 ]; do sleep 1; done
# head leaves early, which is no error.
until [ -n "$(bey logs deploy/web | head -n 1)" ]; do sleep 1; done
echo "log: $(bey logs deploy/web | head -n 1)"

code() { set +e; "$@" > out.txt 2>&1; echo $?; set -e; }
echo "drift before: $(code bey diff -f shop)"
echo "no value: $(code bey apply -f shop)"
bey apply -f shop --label set=shop --value orders-db=@password.txt | tail -n 1
bey apply -f shop --label set=shop | head -n 1
echo "drift after: $(code bey diff -f shop)"
bey boards update Shop --description 'Changed by hand' > /dev/null
echo "drift by hand: $(code bey diff -f shop): $(grep description out.txt)"
bey export secret orders-db
echo "greet: $(code bey workflows run greet --set name=world --wait)"
bey runs logs greet | grep -o 'hello world'
echo "break: $(code bey workflows run break --wait)"
echo "why: $(bey why deploy/web)"
token=$("$NODE" -p 'JSON.parse(process.argv[1]).status.token' "$(bey kubectl-credential pipeline)")
echo "kubectl: $(bey api GET "${proxy%/apis/*}/api/v1/namespaces/default" --token "$token" --jq .metadata.name)"
[ "$(bey kubectl-credential pipeline)" = "$(bey kubectl-credential pipeline)" ] && echo 'kubectl: the token is kept'
echo "kubeconfig: $(bey kubeconfig pipeline --exec | grep -c -e kubectl-credential -e 'token:')"
echo "audit: $(code bey audit verify)"

# What is made for the terminal prints JSON as well.
json() { bey "$@" --json 2> notes.txt | "$NODE" -e 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))' || echo "no JSON: $* $(cat notes.txt)"; }
json whoami
json org list
json context list
json open /clusters
json version
json completion bash
json api GET /api/organization
json kubeconfig pipeline
json kubectl-credential pipeline
json why deploy/web
json workflows run greet --set name=json --wait
json runs watch greet
json runs logs greet
json audit verify
json export board
json apply -f shop
json diff -f shop

rm shop/secret.yaml
bey apply -f shop --label set=shop --prune --yes
