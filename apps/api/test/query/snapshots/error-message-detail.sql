-- 
SELECT json_build_array(
  "listed"."error_message_id",
  "listed"."status",
  "listed"."namespace",
  "listed"."http_status_code",
  "listed"."message",
  "listed"."available_translations",
  "listed"."created_by",
  "listed"."technical_description",
  (
    SELECT json_agg(json_build_array(language, message) ORDER BY language)
    FROM jsonb_each_text("listed"."translations") AS translation (language, message)
  )
) AS row
FROM "takt"."error_messages" AS listed
WHERE "listed"."error_message_id" = $1::bigint;

-- $showDomainDescriptions=true
SELECT json_build_array(
  "listed"."error_message_id",
  "listed"."status",
  (
    SELECT jsonb_object_agg(key, coalesce(translations ->> $1::text, description))
    FROM takt.domain_values
    WHERE object = 'ErrorMessage' AND field = 'Status'
  ) ->> "listed"."status"::text,
  "listed"."namespace",
  "listed"."http_status_code",
  "listed"."message",
  "listed"."available_translations",
  "listed"."created_by",
  "listed"."technical_description",
  (
    SELECT json_agg(json_build_array(language, message) ORDER BY language)
    FROM jsonb_each_text("listed"."translations") AS translation (language, message)
  )
) AS row
FROM "takt"."error_messages" AS listed
WHERE "listed"."error_message_id" = $2::bigint;
