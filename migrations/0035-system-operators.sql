-- Who operates the whole installation: a company that is registered later, and events of companies that do not exist, are
-- seen without a change of what anybody may do.
INSERT INTO takt.roles (role, duties, description) VALUES
  ('system-operator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues,operate-all-companies}',
    'an operator who sees the events of all companies, also of those that are registered later or not at all');
