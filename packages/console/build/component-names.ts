import { parseSync } from 'vite'
import type { ESTree, Plugin } from 'vite'

const componentAttribute = 'data-component'

/**
 * Writes the name of each component on the root elements that it draws, in every build, so that annotations can say
 * what they are about and a component tree can be read from the page.
 */
export function componentNames(): Plugin {
  return {
    name: 'bey:component-names',
    // Before JSX is compiled away.
    enforce: 'pre',
    transform: {
      filter: { id: { include: /\/packages\/console\/src\/.*\.tsx$/, exclude: /\.test\.tsx$/ } },
      handler: (code, id) => ({ code: withComponentNames(code, id), map: null }),
    },
  }
}

/**
 * The source with the attribute on the outermost DOM elements of each component of the file. Lines stay as they are,
 * so source maps still name the right one. A component that draws none of its own (it returns another one) gets none.
 */
export function withComponentNames(code: string, fileName: string): string {
  const { program, errors } = parseSync(fileName, code, { lang: 'tsx' })
  // The compiler says what is wrong, and says it better.
  if (errors.length > 0) return code
  const marks = new Map<number, string>()
  for (const { name, body } of program.body.flatMap(componentsOf)) {
    for (const root of rootsOf(body)) marks.set(root.openingElement.name.end, name)
  }
  let result = code
  // From the end, so that the places before stay where they are.
  for (const [at, name] of [...marks].sort(([a], [b]) => b - a)) {
    result = `${result.slice(0, at)} ${componentAttribute}="${name}"${result.slice(at)}`
  }
  return result
}

type Component = { name: string; body: ESTree.Node }

function componentsOf(statement: ESTree.Node): Component[] {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      return statement.declaration ? componentsOf(statement.declaration) : []
    case 'FunctionDeclaration':
      return named(statement.id?.name, statement.body)
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) =>
        named(id.type === 'Identifier' ? id.name : undefined, functionBody(init)),
      )
    default:
      return []
  }
}

function named(name: string | undefined, body: ESTree.Node | null | undefined): Component[] {
  return name && body && /^[A-Z]/.test(name) ? [{ name, body }] : []
}

/** Of a function, or of one inside a wrapper such as memo. */
function functionBody(init: ESTree.Node | null): ESTree.Node | null | undefined {
  if (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression') return init.body
  const [first] = init?.type === 'CallExpression' ? init.arguments : []
  return first ? functionBody(first) : undefined
}

/** The outermost DOM elements that a body can give. Functions inside it are not followed: they draw for others. */
function rootsOf(node: ESTree.Node | null | undefined): ESTree.JSXElement[] {
  switch (node?.type) {
    case 'JSXElement':
      // A provider or wrapper: what stands in it is drawn by this component.
      return isDomElement(node) ? [node] : node.children.flatMap(rootsOf)
    case 'JSXFragment':
      return node.children.flatMap(rootsOf)
    case 'JSXExpressionContainer':
      return rootsOf(node.expression)
    case 'ConditionalExpression':
    case 'IfStatement':
      return [...rootsOf(node.consequent), ...rootsOf(node.alternate)]
    case 'LogicalExpression':
      return [...rootsOf(node.left), ...rootsOf(node.right)]
    case 'ParenthesizedExpression':
      return rootsOf(node.expression)
    case 'ReturnStatement':
      return rootsOf(node.argument)
    case 'BlockStatement':
      return node.body.flatMap(rootsOf)
    case 'SwitchStatement':
      return node.cases.flatMap((each) => each.consequent.flatMap(rootsOf))
    case 'TryStatement':
      return [...rootsOf(node.block), ...rootsOf(node.handler?.body), ...rootsOf(node.finalizer)]
    default:
      return []
  }
}

function isDomElement({ openingElement: { name, attributes } }: ESTree.JSXElement): boolean {
  return (
    name.type === 'JSXIdentifier' &&
    /^[a-z]/.test(name.name) &&
    !attributes.some((each) => each.type === 'JSXAttribute' && each.name.name === componentAttribute)
  )
}
