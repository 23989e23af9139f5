import type { Ctx } from './context.ts';
import type { CredentialSchema } from './credentials.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A part of an answer as it arrives; `usage` comes at the end where the provider counts. */
export type CompletionPart = { readonly text: string } | { readonly usage: TokenUsage };

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Upper bound of the answer in tokens. */
  readonly maxOutputTokens?: number;
}

/** An AI provider that writes remediations. @throws ConnectorError */
export interface Remediator<S extends CredentialSchema = CredentialSchema> {
  models(ctx: Ctx<S>): Promise<readonly string[]>;
  complete(ctx: Ctx<S>, request: CompletionRequest): AsyncIterable<CompletionPart>;
}
