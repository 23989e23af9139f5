import { type Json, Type } from '@breakwater/sdk';

/** What is used of the provider's answers. Source: OpenAI OpenAPI document, CreateChatCompletionStreamResponse, Model, ErrorResponse. */
export const Model = Type.Object({ id: Type.String({ minLength: 1 }) });
export const Models = Type.Object({ data: Type.Array(Model) });

/** Some servers that speak the protocol answer even to nothing. */
export const Completion = Type.Object({ choices: Type.Array(Type.Unknown()) });

export const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Optional(Type.Object({ content: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
      finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  usage: Type.Optional(
    Type.Union([Type.Object({ prompt_tokens: Type.Integer(), completion_tokens: Type.Integer() }), Type.Null()]),
  ),
});

export const Refusal = Type.Object({
  error: Type.Object({
    code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    message: Type.Optional(Type.String()),
  }),
});

export function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
