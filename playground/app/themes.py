"""Lists of words to start from, one group a line; an arrow is a difference to draw."""

THEMES = {
    "map_words": {
        "Royalty, family, animals": (
            "royalty: king, queen, prince, princess, throne\n"
            "family: father, mother, son, daughter, uncle, aunt\n"
            "animals: dog, cat, horse, cow, lion, tiger"
        ),
        "Countries and capitals, with arrows": (
            "countries: france, germany, italy, spain, japan, china, russia, egypt\n"
            "capitals: paris, berlin, rome, madrid, tokyo, beijing, moscow, cairo\n"
            "france -> paris, germany -> berlin, italy -> rome, spain -> madrid\n"
            "japan -> tokyo, china -> beijing, russia -> moscow, egypt -> cairo"
        ),
        "Comparatives, with arrows": (
            "plain: big, small, fast, slow, strong, weak\n"
            "more: bigger, smaller, faster, slower, stronger, weaker\n"
            "most: biggest, smallest, fastest, slowest, strongest, weakest\n"
            "big -> bigger -> biggest, small -> smaller -> smallest, fast -> faster -> fastest\n"
            "slow -> slower -> slowest, strong -> stronger -> strongest, weak -> weaker -> weakest"
        ),
        "Food, vehicles, instruments, time": (
            "food: bread, cheese, rice, soup, apple, cake\n"
            "vehicles: car, truck, bus, train, bicycle, ship\n"
            "instruments: piano, violin, guitar, drum, flute, trumpet\n"
            "days: monday, tuesday, wednesday, thursday, friday, saturday, sunday\n"
            "months: january, february, march, april, may, june, july, august"
        ),
        "One that misleads: two meanings": (
            "fruit: apple, pear, banana, grape, cherry\ncompanies: microsoft, ibm, google, intel, nokia\nwhich?: orange"
        ),
    },
    "map_words_zh": {
        "王室、家庭、动物": (
            "王室: 国王, 女王, 王子, 公主, 王位\n家庭: 父亲, 母亲, 儿子, 女儿, 叔叔\n动物: 狗, 猫, 马, 牛, 狮子, 老虎"
        ),
        "国家和首都": (
            "国家: 中国, 日本, 法国, 德国, 俄罗斯\n首都: 北京, 东京, 巴黎, 柏林, 莫斯科\n"
            "中国 -> 北京, 日本 -> 东京, 法国 -> 巴黎, 德国 -> 柏林, 俄罗斯 -> 莫斯科"
        ),
        "水果和公司": "水果: 苹果, 香蕉, 葡萄, 樱桃\n公司: 微软, 谷歌, 索尼, 诺基亚",
    },
}
