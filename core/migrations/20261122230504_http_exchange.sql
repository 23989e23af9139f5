-- By what a scanner of a running application shows a finding: the request, the response and a curl line, as text. Secrets in them are
-- masked before they are stored (core/src/ingest/model/mask-exchange.ts).
alter table finding_details add column http_request text, add column http_response text, add column curl_command text;
