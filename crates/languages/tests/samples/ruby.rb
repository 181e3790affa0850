require 'set'
module M
  class Thing < Base
    attr_reader :name, :size
    def initialize(name, *rest, size: 1, **opts, &block)
      @name, @size = name, size
      yield self if block_given?
    rescue ArgumentError => e
      puts "bad #{e.message} #{1 + 2}"
    ensure
      @done = true
    end
    def each; @items.each { |x, (y, z)| next unless x > 1; p y } end
  end
end
case x when 1, 2 then :a else %w[b c] end
h = { a: 1, "b" => [1, 2], **other }
until h.empty? do h.shift end
puts <<~TEXT
  text #{h}
TEXT
