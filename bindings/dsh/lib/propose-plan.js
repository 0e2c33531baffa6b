// The tool by which the model asks for rights, and the card the user sees.

export const controlTool = 'propose_plan'

/** The host's definition of the tool; schema, description and texts are the library's. */
export function proposePlan(watch) {
  const { description, parameters } = watch.schema()
  return {
    name: controlTool,
    description,
    parameters,
    output: {
      schema: { type: 'string' },
      render: (_args, value) => [{ type: 'text', text: value }],
    },
    // The host does not check `args` against `parameters`; the library does, and names every fault.
    async execute(args, exec) {
      const text = watch.propose(args, exec)
      // The model's turn ends here, so that it waits for the user's answer.
      exec.concludeTurn()
      return text
    },
    presentCall(args) {
      const text = watch.render(args)
      if (text === undefined) return undefined
      return { card: 'generic', title: args.title, kind: 'other', content: [{ type: 'text', text }] }
    },
  }
}
