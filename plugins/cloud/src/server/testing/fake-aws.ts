import { createHash, createHmac } from 'node:crypto';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What AWS knows of one access key. */
export interface FakeAwsKey {
  readonly id: string;
  readonly secret: string;
  readonly isActive: boolean;
}

/** How far the clock of a request may be off. Source: AWS General Reference, "Signing AWS API requests". */
const SKEW_MS = 15 * 60_000;

/**
 * STS as its reference describes GetCallerIdentity. It recomputes Signature Version 4 from what arrived; only the host is the provider's own
 * name, because that is what was signed while the address led here.
 */
export function fakeAws(key: FakeAwsKey, now: Date): (request: TestRequest) => TestAnswer {
  return (request) => {
    const { headers, body } = request;
    const parts =
      /Credential=([^/]+)\/(\d{8})\/([^/]+)\/sts\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})/.exec(
        headers['authorization'] ?? '',
      );
    const stamp = headers['x-amz-date'] ?? '';
    if (!parts || !headers['authorization']?.startsWith('AWS4-HMAC-SHA256 '))
      return refusal(403, 'MissingAuthenticationToken');
    const [, id = '', day = '', region = '', signed = '', signature] = parts;
    if (id !== key.id || !key.isActive) return refusal(403, 'InvalidClientTokenId');
    if (Math.abs(timeOf(stamp) - now.getTime()) > SKEW_MS) {
      return refusal(403, 'SignatureDoesNotMatch', `Signature expired: ${stamp} is now earlier than the allowed time`);
    }
    const canonical = canonicalRequest(request, signed);
    const scope = `${day}/${region}/sts/aws4_request`;
    const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
    const signingKey = [day, region, 'sts', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${key.secret}`);
    if (hmac(signingKey, text).toString('hex') !== signature) return refusal(403, 'SignatureDoesNotMatch');
    if (new URLSearchParams(body).get('Action') !== 'GetCallerIdentity') return refusal(400, 'InvalidAction');
    return { headers: { 'content-type': 'text/xml' }, body: IDENTITY };
  };
}

/** Source: AWS STS API reference, GetCallerIdentity, example 1. */
const IDENTITY = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
   <Arn>arn:aws:iam::123456789012:user/Alice</Arn>
    <UserId>AIDACKCEVSQ6C2EXAMPLE</UserId>
    <Account>123456789012</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata>
    <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
  </ResponseMetadata>
</GetCallerIdentityResponse>`;

function refusal(status: number, code: string, message = 'Refused.'): TestAnswer {
  const body = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>
  <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
</ErrorResponse>`;
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function canonicalRequest({ method, path, query, headers, body }: TestRequest, signed: string): string {
  const values = signed.split(';').map((name) => `${name}:${signedValue(name, headers, body)}\n`);
  return [method, path, query.toString(), values.join(''), signed, sha256(body)].join('\n');
}

function signedValue(name: string, headers: TestRequest['headers'], body: string): string {
  if (name === 'host') return 'sts.amazonaws.com';
  if (name === 'content-length') return String(Buffer.byteLength(body));
  return (headers[name] ?? '').trim().replace(/\s+/g, ' ');
}

function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
